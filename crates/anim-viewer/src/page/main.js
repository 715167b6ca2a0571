// Starts the page: reads the files that it contains, and offers tests a look inside.

import { embed, posted } from './embed.js';
import { readGlb } from './glb.js';
import { Page } from './page.js';
import { find } from './panel.js';

function bytesOf(id) {
  const text = find(id).textContent.trim();
  find(id).textContent = '';
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const SAVED = 'animfmt';

/** Loads the page again when the file has changed. */
function watch(page) {
  const events = new EventSource('events');
  events.addEventListener('change', () => {
    sessionStorage.setItem(SAVED, JSON.stringify(page.saved()));
    location.reload();
  });
}

async function run() {
  const info = JSON.parse(find('info').textContent);
  const outer = document.getElementById('model-0') ? null : await posted();
  const files = outer ? outer.models.map((buffer) => new Uint8Array(buffer)) : info.files.map((_, number) => bytesOf(`model-${number}`));
  const models = files.map(readGlb);
  const page = new Page(info, models);
  const saved = info.watch ? JSON.parse(sessionStorage.getItem(SAVED)) : null;
  sessionStorageOf(info)?.removeItem(SAVED);
  page.start(saved);
  if (outer) embed(page, outer);
  const firstPicture = performance.now();
  await Promise.all(page.stages.map(({ renderer }) => renderer.decode()));
  page.stages.forEach(({ renderer, info: file }) => {
    file.diagnostics.push(...renderer.problems.map((message) => ({ severity: 'warning', message })));
  });
  page.showProblems();
  page.redraw();
  if (info.watch) watch(page);
  return { page, firstPicture };
}

const sessionStorageOf = ({ watch: isWatched }) => (isWatched ? sessionStorage : null);

function fail(error) {
  find('failure').textContent = `The model cannot be shown: ${error.message}`;
  find('failure').hidden = false;
  throw error;
}

/** For tests: what the page shows. */
window.animfmt = {
  ready: run().then(({ page, firstPicture }) => Object.assign(window.animfmt, { page, firstPicture })).catch(fail),
  /** Stops, and shows a time of an animation, given by its number in the GLB, or the rest pose. */
  show(animation, time, file = 0) {
    const { page } = window.animfmt;
    page.setPlaying(false);
    const stage = page.stages[file];
    stage.play(animation === null ? null : stage.model.animations[animation], time);
  },
  /** The corners of all triangles, lines and points, as the shader places them. */
  vertices: (file = 0) => window.animfmt.page.stages[file].renderer.corners(),
  /** The transform of each node relative to its parent, by name. */
  transforms(file = 0) {
    const { pose, model } = window.animfmt.page.stages[file];
    return Object.fromEntries(model.nodes.map(({ number, name }) => [name, {
      translation: [...pose.translation.slice(number * 3, number * 3 + 3)],
      rotation: [...pose.rotation.slice(number * 4, number * 4 + 4)],
      scale: [...pose.scale.slice(number * 3, number * 3 + 3)],
    }]));
  },
};
