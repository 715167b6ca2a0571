// Compares pictures of the same GLB from the same camera: those of `animfmt render`, of the page of
// `animfmt view`, and of three.js in the same browser.

import { createServer } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { timesOf, readGlb } from '../consumers/glb.mjs';
import { convert, HERE, run } from '../consumers/tools.mjs';
import { view } from './vertices.mjs';

const TIMES = 5;
const CAMERA = 'camera of the comparison';
const FIELD = (35 * Math.PI) / 180;
/** Pictures in which less is covered are not compared: the outline would be most of them. */
const LEAST_COVERED = 0.1;
/** How far lines and points may be apart, in pixels. */
const APART = 3;
const MODULES = join(HERE, '../node_modules/');
const TYPES = { '.js': 'text/javascript', '.html': 'text/html', '.glb': 'model/gltf-binary', '.png': 'image/png' };

const PAGE = `<!DOCTYPE html><script type="importmap">{"imports": {"three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
renderer.setClearColor(0, 0);
const text = (bytes) => {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 32768) binary += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(binary);
};
let model;
window.load = async (width, height) => {
  renderer.setSize(width, height);
  const gltf = await new GLTFLoader().loadAsync('/model.glb');
  // The camera is not part of what skins and other nodes move.
  gltf.scene.updateMatrixWorld(true);
  model = { ...gltf, mixer: new THREE.AnimationMixer(gltf.scene) };
};
window.draw = (number, seconds) => {
  const { scene, cameras, animations, mixer } = model;
  mixer.stopAllAction();
  if (number !== null) {
    const action = mixer.clipAction(animations[number]);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.reset().play();
    mixer.setTime(seconds);
  }
  renderer.render(scene, cameras.at(-1));
  const gl = renderer.getContext();
  const pixels = new Uint8Array(gl.drawingBufferWidth * gl.drawingBufferHeight * 4);
  gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return text(pixels);
};
window.read = async () => {
  const answer = await fetch('/picture.png');
  const image = await createImageBitmap(await answer.blob(), { premultiplyAlpha: 'premultiply', colorSpaceConversion: 'none' });
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return text(context.getImageData(0, 0, image.width, image.height).data);
};
window.ready = true;
</script>`;

/** A server for the page, three.js, a model and a picture. */
export class Comparison {
  static async start(browser, animfmt, options) {
    const own = new Comparison(browser, animfmt, options);
    own.server = createServer((request, answer) => own.answer(request, answer));
    await new Promise((done) => own.server.listen(0, '127.0.0.1', done));
    own.page = await browser.browser.newPage();
    await own.page.goto(`http://127.0.0.1:${own.server.address().port}/index.html`);
    await own.page.waitForFunction('window.ready');
    return own;
  }

  constructor(browser, animfmt, { out }) {
    Object.assign(this, { browser, animfmt, out, held: new Map([['/index.html', Buffer.from(PAGE)]]) });
  }

  answer({ url }, answer) {
    const held = this.held.get(url);
    const isModule = url.startsWith('/three/') && !url.includes('..');
    if (!held && !isModule) return answer.writeHead(404).end();
    answer.writeHead(200, { 'content-type': TYPES[extname(url)] ?? 'application/octet-stream', 'cache-control': 'no-store' });
    return answer.end(held ?? readFileSync(join(MODULES, url)));
  }

  async close() {
    await this.page.close();
    this.server.close();
  }

  /** Compares pictures of a file at some times of its first animations. */
  async measure(inputs) {
    const name = basename(inputs[0]);
    const glb = join(this.out, `${name}.pictures.glb`);
    convert(this.animfmt, inputs, glb);
    writeFileSync(glb, edited(readFileSync(glb), (json) => forget(unlit(json))));
    const { json, animations } = readGlb(glb);
    const kind = kindOf(json);
    if (kind.isEmpty) return { name, skipped: 'nothing to draw' };
    const { page, said } = await this.browser.open(view(this.animfmt, [glb], this.out));
    const { width, height, ...camera } = await page.evaluate(lookFrom, FIELD);
    const seen = join(this.out, `${name}.seen.glb`);
    writeFileSync(seen, edited(readFileSync(glb), (json) => addCamera(json, camera, width / height)));
    this.held.set('/model.glb', readFileSync(seen));
    await this.page.evaluate((w, h) => window.load(w, h), width, height);
    const result = { name, said, moments: 0, least: { three: 1, page: 1 }, colors: { three: 0, page: 0 }, worst: {} };
    const picture = join(this.out, `${name}.moment.png`);
    for (const { number, seconds, clip } of momentsOf(json, animations)) {
      run([this.animfmt, 'render', seen, ...clip, '--camera', CAMERA, '--size', `${width}x${height}`, '--background', 'transparent', '-o', picture, '--force', '--quiet']);
      this.held.set('/picture.png', readFileSync(picture));
      const own = Buffer.from(await this.page.evaluate(() => window.read()), 'base64');
      if (coverage(own) < (kind.isThin ? 0 : LEAST_COVERED)) continue;
      result.moments += 1;
      const others = {
        three: upright(Buffer.from(await this.page.evaluate((n, t) => window.draw(n, t), number, seconds), 'base64'), width),
        page: upright(Buffer.from(await page.evaluate(pictureOf, number, seconds), 'base64'), width),
      };
      for (const [other, pixels] of Object.entries(others)) {
        const same = kind.isThin ? nearness(own, pixels, width) : overlap(own, pixels);
        if (same < result.least[other]) {
          result.least[other] = same;
          result.worst[other] = { number, seconds };
        }
        result.colors[other] = Math.max(result.colors[other], difference(own, pixels));
      }
    }
    await page.close();
    return result;
  }
}

/** What the meshes of a GLB consist of. */
function kindOf({ meshes = [] }) {
  const parts = meshes.flatMap(({ primitives }) => primitives);
  return { isEmpty: parts.length === 0, isThin: parts.some(({ mode = 4 }) => mode < 4) };
}

/** Some moments of the animations: the times in the GLB, and the options of `render` for the same. */
function momentsOf({ animations: written = [] }, animations) {
  if (animations.length === 0) return [{ number: null, seconds: 0, clip: [] }];
  const all = animations.flatMap((animation, number) => {
    const { sourceName, offset } = animation;
    const { start = 0, end = animation.duration, wrap, empty } = written[number].extras?.anim_formats ?? {};
    // The end of a loop is its start.
    const isIn = (seconds) => seconds >= start - offset && (seconds < end - offset || (seconds === end - offset && wrap !== 'loop'));
    const within = empty ? [] : timesOf(animation).filter(isIn);
    const same = animations.filter((other) => other.sourceName === sourceName);
    const clip = same.length > 1 ? `${sourceName}#${same.indexOf(animation) + 1}` : sourceName;
    return (within.length > 0 ? within : [start]).map((seconds) => ({ number, seconds, clip: ['--clip', clip, '--at', String(seconds + offset)] }));
  });
  const count = Math.min(TIMES, all.length);
  return Array.from({ length: count }, (_, i) => all[Math.round((i * (all.length - 1)) / Math.max(count - 1, 1))]);
}

/** In the page: places the camera, closer than the page does, and returns it. */
function lookFrom(field) {
  const { page } = window.animfmt;
  page.setPlaying(false);
  const { camera, first } = page;
  Object.assign(camera, { yaw: 0.6, pitch: 0.3, up: 'Y' });
  first.resize();
  const { width, height } = first.canvas;
  camera.frame(page.box, width / height);
  camera.distance *= 0.7;
  const [cosine, sine] = [Math.cos(camera.pitch), Math.sin(camera.pitch)];
  const back = [Math.sin(camera.yaw) * cosine, sine, Math.cos(camera.yaw) * cosine];
  const right = [Math.cos(camera.yaw), 0, -Math.sin(camera.yaw)];
  const up = [0, 1, 2].map((i) => back[(i + 1) % 3] * right[(i + 2) % 3] - back[(i + 2) % 3] * right[(i + 1) % 3]);
  const eye = camera.target.map((at, i) => at + back[i] * camera.distance);
  const reach = camera.distance + camera.size * 8;
  return { width, height, matrix: [...right, 0, ...up, 0, ...back, 0, ...eye, 1], near: camera.distance / 200, far: reach, field };
}

/** In the page: draws a moment on black and on white, which shows what is covered. */
function pictureOf(number, seconds) {
  const { page, show } = window.animfmt;
  show(number, seconds);
  const { first, look } = page;
  const draw = (grey) => {
    const plain = { ...look, ground: false, axes: false, bones: false, normals: false, wireframe: false, mesh: true };
    first.draw({ ...plain, colors: { ...look.colors, stage: [grey, grey, grey, 1] } }, page.ground);
    const { gl } = first.renderer;
    const pixels = new Uint8Array(gl.drawingBufferWidth * gl.drawingBufferHeight * 4);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
  };
  const [white, black] = [draw(1), draw(0)];
  for (let i = 0; i < black.length; i += 4) black[i + 3] = 255 - Math.max(0, white[i + 1] - black[i + 1]);
  let binary = '';
  for (let i = 0; i < black.length; i += 32768) binary += String.fromCharCode(...black.subarray(i, i + 32768));
  return btoa(binary);
}

/** Makes all materials unlit: each program has its own lights. */
function unlit(json) {
  const makeUnlit = (material) => ({ ...material, extensions: { ...material.extensions, KHR_materials_unlit: {} } });
  json.materials = [...(json.materials ?? []), {}].map(makeUnlit);
  json.extensionsUsed = [...new Set([...(json.extensionsUsed ?? []), 'KHR_materials_unlit'])];
  (json.meshes ?? []).forEach(({ primitives }) => primitives.forEach((part) => (part.material ??= json.materials.length - 1)));
  return json;
}

/** Removes the names of missing images, for which three.js has no checker pattern. */
function forget(json) {
  for (const { extras } of json.materials) {
    delete extras?.anim_formats?.missing_image;
    delete extras?.anim_formats?.missing_slot;
  }
  return json;
}

function addCamera(json, { matrix, near, far, field }, aspectRatio) {
  json.cameras = [...(json.cameras ?? []), { type: 'perspective', perspective: { yfov: field, znear: near, zfar: far, aspectRatio } }];
  json.nodes.push({ name: CAMERA, camera: json.cameras.length - 1, matrix });
  json.scenes[json.scene ?? 0].nodes.push(json.nodes.length - 1);
}

/** Changes the JSON of a GLB. */
function edited(bytes, change) {
  const jsonLength = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + jsonLength).toString());
  change(json);
  let text = Buffer.from(JSON.stringify(json));
  text = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const rest = bytes.subarray(20 + jsonLength);
  const head = Buffer.from(bytes.subarray(0, 20));
  head.writeUInt32LE(20 + text.length + rest.length, 8);
  head.writeUInt32LE(text.length, 12);
  return Buffer.concat([head, text, rest]);
}

/** OpenGL reads pictures from the bottom up. */
function upright(pixels, width) {
  const row = width * 4;
  const rows = [];
  for (let at = pixels.length - row; at >= 0; at -= row) rows.push(pixels.subarray(at, at + row));
  return Buffer.concat(rows);
}

const covers = (pixels, i) => pixels[i + 3] >= 128;

function coverage(pixels) {
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) count += covers(pixels, i) ? 1 : 0;
  return count / (pixels.length / 4);
}

/** The pixels that both cover, relative to those that one of them covers. */
function overlap(a, b) {
  let [both, either] = [0, 0];
  for (let i = 0; i < a.length; i += 4) {
    const [x, y] = [covers(a, i), covers(b, i)];
    both += x && y ? 1 : 0;
    either += x || y ? 1 : 0;
  }
  return either > 0 ? both / either : 1;
}

/** The part of the pixels of each picture that are near to one of the other. */
function nearness(a, b, width) {
  const height = a.length / 4 / width;
  const drawn = (pixels, x, y) => x >= 0 && y >= 0 && x < width && y < height && pixels[(y * width + x) * 4 + 3] >= 64;
  const isNear = (pixels, x, y) => {
    for (let dy = -APART; dy <= APART; dy += 1) {
      for (let dx = -APART; dx <= APART; dx += 1) if (drawn(pixels, x + dx, y + dy)) return true;
    }
    return false;
  };
  const part = (from, to) => {
    let [near, all] = [0, 0];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (!drawn(from, x, y)) continue;
        all += 1;
        near += isNear(to, x, y) ? 1 : 0;
      }
    }
    return all > 0 ? near / all : 1;
  };
  return Math.min(part(a, b), part(b, a));
}

/** The mean difference of colours where both pictures are opaque, of 255. */
function difference(a, b) {
  let [sum, count] = [0, 0];
  for (let i = 0; i < a.length; i += 4) {
    if (a[i + 3] < 255 || b[i + 3] < 255) continue;
    for (let k = 0; k < 3; k += 1) sum += Math.abs(a[i + k] - b[i + k]);
    count += 3;
  }
  return count > 0 ? sum / count : 0;
}
