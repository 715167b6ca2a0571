// Writes X3D, has other programs read it, and measures the errors of what they read:
// node consumers/x3d.mjs [OPTIONS] [FILE…]. See ../README.md.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { diagonal, farthestFrom, farthestOfSets } from './compare.mjs';
import { readGlb, timesOf } from './glb.mjs';
import { ROOT, build, convert, fixtures, places, run, runAll } from './tools.mjs';
import * as xIte from './x_ite.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    animfmt: { type: 'string' },
    convert: { type: 'string', default: '' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
    limit: { type: 'string', default: '1e-5' },
    only: { type: 'string', default: 'tovrmlx3d,X_ITE' },
    out: { type: 'string', default: join(ROOT, 'target/consumers-x3d') },
    pictures: { type: 'boolean', default: false },
  },
});
const ENCODINGS = ['x3d', 'x3dv'];
/** X3D holds any number of influences. */
const ALL_INFLUENCES = ['--influences', '8'];
/** What sampled skins may deviate by design (`x3d-loss-skin`). */
const SAMPLED = 2e-3;
/** How many clips the browser plays, and when it pauses, in milliseconds. */
const MOST_PLAYED = 3;
const WAITS = [170, 390, 230];

/** Reads an X3D file with the engine's converter, and writes it again. Returns its messages. */
function rewriteWithEngine(file, output) {
  const { stdout, stderr } = runAll(['tovrmlx3d', '--encoding', 'xml', file]);
  writeFileSync(output, stdout);
  return stderr.toString().trim();
}

/** The clips of a file, with their names and times. */
function clipsOf(animfmt, [input]) {
  return JSON.parse(run([animfmt, 'info', '--json', input])).files[0].clips;
}

/** Finds the `count`th animation with this name. The engine writes tabs as they are, which XML parsers replace. */
function find({ animations }, name, count) {
  const plain = (text) => text.replaceAll('\t', ' ');
  const same = [...animations.keys()].filter((i) => plain(animations[i].sourceName) === plain(name));
  return same[count];
}

/** Clips and states, each with its number among those of the same name. */
function* numbered(clips, { animations }) {
  const states = animations.filter(({ sourceName }) => clips.every(({ name }) => name !== sourceName));
  const counts = new Map();
  for (const { name, start } of [...clips, ...states.map(({ sourceName }) => ({ name: sourceName, start: 0 }))]) {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    yield { name, count, start: Math.max(start, 0) };
  }
}

/** Pairs of times to compare: in the GLB of the source, and in the GLB of what was read from X3D. */
function momentsOf(clips, glbs) {
  const [own, other] = glbs;
  const moments = [['@', '@']];
  for (const { name, count, start } of numbered(clips, own)) {
    const [a, b] = [find(own, name, count), find(other, name, count)];
    // A clip that moves nothing is not an animation in glTF.
    const animation = own.animations[a] ?? other.animations[b];
    if (!animation) continue;
    const offset = a === undefined ? 0 : start;
    for (const t of timesOf(animation).filter((t) => t >= offset)) {
      moments.push([a === undefined ? '@' : `${a}@${t}`, b === undefined ? '@' : `${b}@${t - offset}`]);
    }
  }
  return moments;
}

/** The maximum distance of corners between two GLBs, relative to the size of the whole motion. */
function compare(clips, files) {
  const glbs = files.map(readGlb);
  const hasMeshes = glbs.map(({ json }) => json.meshes?.length > 0);
  const moments = momentsOf(clips, glbs);
  const [expected, found] = files.map((file, i) => places('glb-shown', [file], moments.map((pair) => pair[i])));
  // What is never shown is not read.
  if (hasMeshes[0] && !hasMeshes[1] && expected.every((points) => points.length === 0)) return 0;
  const size = diagonal(expected.flatMap((points) => [...points])) || 1;
  // Without geometry, nodes are compared. The root node of a GLB stands for the skeleton.
  const distance = hasMeshes[0] ? farthestOfSets : (a, b) => farthestFrom(b, a);
  return Math.max(...expected.map((points, i) => distance(points, found[i]))) / size;
}

/** The error of what `tovrmlx3d` reads and writes again, and its messages. */
function measureEngine({ clips, stem, encoding }) {
  const said = rewriteWithEngine(`${stem}.${encoding}`, `${stem}.${encoding}.again.x3d`);
  convert(animfmt, [`${stem}.${encoding}.again.x3d`], `${stem}.${encoding}.again.glb`, ALL_INFLUENCES);
  return { said, error: compare(clips, [`${stem}.glb`, `${stem}.${encoding}.again.glb`]) };
}

/** The error of X_ITE's scene graph, three times in each of the first clips, and its messages. */
async function measureBrowser({ clips, stem, encoding }) {
  const { sensors, said } = await xIte.load(browser, basename(`${stem}.${encoding}`));
  const glb = readGlb(`${stem}.glb`);
  const known = [...numbered(clips, glb)];
  const moments = [];
  const found = [];
  for (const [number, { sensor, title }] of sensors.slice(0, MOST_PLAYED).entries()) {
    const nth = sensors.slice(0, number).filter((other) => other.title === title).length;
    const { start } = known.find(({ name, count }) => name === title && count === nth);
    const animation = find(glb, title, nth);
    await xIte.play(browser, sensor);
    for (const [i, wait] of WAITS.entries()) {
      const { seconds, points } = await xIte.pauseAfter(browser, sensor, wait);
      moments.push(animation === undefined ? '@' : `${animation}@${start + seconds}`);
      found.push(points);
      if (options.pictures) await xIte.picture(browser, `${stem}.${encoding}.${number}-${i}.png`);
    }
  }
  if (sensors.length === 0) {
    moments.push('@');
    found.push((await xIte.pauseAfter(browser, null, 0)).points);
  }
  const expected = places('glb-shown', [`${stem}.glb`], moments);
  const hasMeshes = glb.json.meshes?.length > 0;
  const size = diagonal(expected.flatMap((points) => [...points])) || 1;
  const distances = expected.map((points, i) => (hasMeshes ? farthestOfSets(points, Float64Array.from(found[i])) : 0));
  return { said: said.join('\n'), error: Math.max(...distances) / size };
}

/** Writes a file as GLB and X3D. */
function write(inputs, number, encoding) {
  const stem = join(options.out, `${String(number).padStart(3, '0')}-${basename(inputs[0])}`);
  const clips = clipsOf(animfmt, inputs);
  convert(animfmt, inputs, `${stem}.glb`, ALL_INFLUENCES);
  const losses = convert(animfmt, inputs, `${stem}.${encoding}`, options.convert.split(' ').filter(Boolean));
  return { clips, stem, encoding, isSampled: losses.includes('x3d-loss-skin') };
}

/** All fixtures without an error. */
function allFixtures() {
  const folders = readdirSync(join(ROOT, 'testdata')).map((folder) => join(ROOT, 'testdata', folder, 'ok')).filter(existsSync);
  const files = folders.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
  const isData = (file) => ['.bin', '.png', '.jpg', '.mtl'].includes(extname(file));
  return files.filter((file) => statSync(file).isFile() && !isData(file)).map((file) => ({ inputs: [file] }));
}

/** Measures one program with many files, and prints what is wrong and the totals. */
async function measureAll(name, measure, files) {
  const totals = { files: 0, clips: 0, messages: 0, failed: 0, beyond: 0, worst: 0, sampled: 0 };
  for (const [number, { inputs, known }] of files.entries()) {
    if (known?.includes(name)) continue;
    // A file stays as it is in its own encoding.
    for (const encoding of ENCODINGS.filter((encoding) => extname(inputs[0]) !== `.${encoding}`)) {
      const label = `${name}: ${inputs.map((file) => basename(file)).join('+')} as ${encoding}`;
      try {
        const written = write(inputs, number, encoding);
        const { said, error } = await measure(written);
        if (said) console.log(`${label}: ${said}`);
        const isBad = !(error <= (written.isSampled ? SAMPLED : Number(options.limit)));
        if (isBad) console.log(`${label}: error ${error.toExponential(1)}`);
        const kind = written.isSampled ? 'sampled' : 'worst';
        totals[kind] = Math.max(totals[kind], error);
        totals.files += 1;
        totals.clips += written.clips.length;
        totals.messages += said ? 1 : 0;
        totals.beyond += isBad ? 1 : 0;
      } catch (error) {
        if (error.message.includes('unsupported format')) continue;
        console.log(`${label}: ${error.message}`);
        totals.failed += 1;
      }
    }
  }
  console.log(name, totals);
  return totals.messages + totals.failed + totals.beyond === 0;
}

mkdirSync(options.out, { recursive: true });
const animfmt = build(options.animfmt);
const named = positionals.map((text) => ({ inputs: text.split('+') }));
const isNamed = named.length > 0;
const isWanted = (name, program) => {
  if (!options.only.split(',').includes(name)) return false;
  const isInstalled = !spawnSync(program, ['--version']).error;
  if (!isInstalled) console.log(`${name}: skipped, since ${program} is not installed`);
  return isInstalled;
};
let isGood = true;
if (isWanted('tovrmlx3d', 'tovrmlx3d')) {
  isGood = (await measureAll('tovrmlx3d', measureEngine, isNamed ? named : allFixtures())) && isGood;
}
let browser;
if (isWanted('X_ITE', options.chromium)) {
  browser = await xIte.start(options.out, options.chromium);
  isGood = (await measureAll('X_ITE', measureBrowser, isNamed ? named : fixtures())) && isGood;
  await browser.close();
}
process.exit(isGood ? 0 : 1);
