// Reads the animations of a GLB and chooses times for the comparison from their key times.

import { readFileSync } from 'node:fs';

const FRACTIONS = [0, 0.083, 0.213, 0.377, 0.5003, 0.641, 0.779, 0.917, 1];

export function readGlb(file) {
  const bytes = readFileSync(file);
  const jsonLength = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + jsonLength).toString());
  const bin = bytes.subarray(20 + jsonLength + 8);
  const animations = (json.animations ?? []).map((animation) => clipOf(json, bin, animation));
  return { json, animations };
}

function clipOf(json, bin, { name, extras, channels, samplers }) {
  const jumps = [];
  let duration = 0;
  for (const { interpolation, input } of samplers) {
    const times = floats(json, bin, input);
    duration = Math.max(duration, times.at(-1));
    times.forEach((time, i) => {
      const isJump = i > 0 && time - times[i - 1] < 1e-5 * Math.max(1, time);
      if (interpolation === 'STEP' || isJump) jumps.push(time);
    });
  }
  const own = extras?.anim_formats ?? {};
  const targets = channels.map(({ target }) => `${target.node} ${target.path}`);
  return { name, sourceName: own.name ?? name, offset: own.time_offset ?? 0, isPartial: own.partial === true, duration, jumps, targets };
}

function floats(json, bin, number) {
  const { bufferView, byteOffset = 0, count } = json.accessors[number];
  const view = json.bufferViews[bufferView];
  const start = (view.byteOffset ?? 0) + byteOffset;
  return Array.from({ length: count }, (_, i) => bin.readFloatLE(start + i * (view.byteStride ?? 4)));
}

/** Times in an animation, from start to end. None is so close to a jump that rounding matters. */
export function timesOf({ duration, jumps }) {
  const near = (t) => jumps.some((jump) => jump > 0 && Math.abs(jump - t) < 2e-3 * duration);
  const times = new Set();
  for (const fraction of FRACTIONS) {
    let t = fraction * duration;
    for (let tries = 0; tries < 20 && near(t); tries += 1) t -= 0.0031 * duration;
    if (t >= 0 && !near(t)) times.add(t);
  }
  return [...times];
}
