// What keys do.

import { UPS } from './camera.js';
import { find } from './panel.js';

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
export const LOOPS = ['auto', 'once', 'loop', 'ping-pong'];
/** What can be shown: its name in `Page.look`, its title and its key. */
export const TOGGLES = [['mesh', 'Mesh', 'M'], ['wireframe', 'Wireframe', 'W'], ['normals', 'Normals', 'N'], ['bones', 'Bones', 'B'], ['ground', 'Ground', 'G'], ['axes', 'Axes', 'A']];
/** Keys and what they do, for the help. */
export const KEYS = [
  ['Space', 'play or pause'], ['← →', 'one frame back or on'], ['Home End', 'to the start or end'], ['↑ ↓', 'previous or next clip or state'], ['1–9', 'choose a clip or state'],
  ['L', 'loop mode'], ['[ ]', 'slower or faster'], ['M W N B G A', 'mesh, wireframe, normals, bones, ground, axes'], ['U', 'the axis that points up'], ['F', 'frame the model'],
  ['Shift+arrows, + −', 'turn and zoom'], ['T P', 'dark or light; side panel'], ['Esc', 'close this'], ['Drag', 'turn; with Shift, the right button or two fingers: move'], ['Wheel, pinch', 'zoom'],
];
/** The step of the arrow keys, in seconds, for clips without frames. */
const FRAME = 1 / 30;

const cycle = (all, now) => all[(all.indexOf(now) + 1) % all.length];

/** Does what a key says. */
export function press(page, event) {
  const { key, target } = event;
  const isTaken = event.ctrlKey || event.metaKey || event.altKey || find('help').open || target.closest?.('select, input');
  if (isTaken || (key === ' ' && target.closest?.('button'))) return;
  const isCamera = page.camera.key(event);
  const action = isCamera ? null : actions(page, event)[key.length === 1 ? key.toLowerCase() : key];
  if (!isCamera && !action) return;
  event.preventDefault();
  action?.();
}

function actions(page, { key, shiftKey }) {
  const { entries, chosen } = page;
  const next = (by) => page.pick((chosen + by + entries.length) % entries.length, shiftKey);
  const frames = entries[chosen]?.clip?.frames;
  const move = (by) => {
    page.setPlaying(false);
    page.seek(Math.min(page.time + by, page.duration));
  };
  const speed = (by) => page.setSpeed(SPEEDS[Math.min(Math.max(SPEEDS.indexOf(page.speed) + by, 0), SPEEDS.length - 1)]);
  const all = {
    ' ': () => page.setPlaying(!page.isPlaying),
    ArrowLeft: () => move(frames ? -1 / frames : -FRAME),
    ArrowRight: () => move(frames ? 1 / frames : FRAME),
    ArrowUp: () => next(-1),
    ArrowDown: () => next(1),
    Home: () => page.seek(0),
    End: () => page.seek(page.duration),
    l: () => page.setLoop(cycle(LOOPS, page.loop)),
    '[': () => speed(-1),
    ']': () => speed(1),
    u: () => page.setUp(cycle(Object.keys(UPS), page.camera.up)),
    f: () => page.frame(),
    t: () => page.setTheme(page.isDark ? 'light' : 'dark'),
    p: () => page.togglePanel(),
    '?': () => find('help').showModal(),
  };
  TOGGLES.forEach(([name, , letter]) => (all[letter.toLowerCase()] = () => page.toggle(name)));
  if (/^[1-9]$/.test(key)) all[key] = () => page.pick(Number(key) - 1, false);
  return all;
}
