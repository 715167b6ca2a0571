// Loads GLBs into other programs and measures their errors: node consumers/run.mjs
// [OPTIONS] [FILE…]. See ../README.md.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { diagonal, farthestFrom, farthestInOrder, farthestOfSets } from './compare.mjs';
import { readGlb, timesOf } from './glb.mjs';
import { decode } from './moments.mjs';
import { HERE, ROOT, build, convert, fixtures, places, run } from './tools.mjs';

const MOST_ANIMATIONS = 8;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    also: { type: 'string', multiple: true, default: [] },
    animfmt: { type: 'string' },
    convert: { type: 'string', default: '' },
    limit: { type: 'string', default: '1e-5' },
    only: { type: 'string' },
    out: { type: 'string', default: join(ROOT, 'target/consumers') },
    python: { type: 'string', default: 'python3' },
    table: { type: 'string' },
  },
});

// Each command receives a GLB and times and returns points. `ordered`: the points are in GLB order.
// `writes`: the command writes another GLB, which the independent evaluator reads. `meshesOnly`: it
// ignores nodes without meshes. `limit`: its error by design (gltfpack drops keys).
const CONSUMERS = [
  { name: 'three.js', version: 'three', ordered: true, command: (file, moments) => ['node', join(HERE, 'three.mjs'), file, ...moments] },
  { name: 'Babylon.js', version: '@babylonjs/loaders', ordered: true, command: (file, moments) => ['node', join(HERE, 'babylon.mjs'), file, ...moments] },
  { name: 'VTK', version: 'vtk', meshesOnly: true, command: (file, moments) => [options.python, join(HERE, 'vtk_gltf.py'), file, ...moments] },
  { name: 'glTF-Transform', version: '@gltf-transform/core', writes: (file, to) => ['node', join(HERE, 'gltf-transform.mjs'), 'copy', file, to] },
  { name: 'glTF-Transform, tidied', version: '@gltf-transform/functions', meshesOnly: true, writes: (file, to) => ['node', join(HERE, 'gltf-transform.mjs'), 'tidy', file, to] },
  { name: 'gltfpack', version: 'gltfpack', limit: 1e-2, writes: (file, to) => ['node', join(HERE, '../node_modules/gltfpack/cli.js'), '-noq', '-af', '0', '-kn', '-i', file, '-o', to] },
]
  .filter(({ name }) => options.only === undefined || options.only.split(',').includes(name))
  .concat(options.also.map(other));

/** `NAME=COMMAND`: a program with the interface of the scripts in this folder. */
function other(text) {
  const [name, command] = text.split('=');
  return { name, command: (file, moments) => [...command.split(' '), resolve(file), ...moments] };
}

/** Converts an input and its companions to GLB. */
function glbOf(inputs, number) {
  if (inputs.length === 1 && extname(inputs[0]) === '.glb') return inputs[0];
  const output = join(options.out, `${String(number).padStart(3, '0')}-${basename(inputs[0])}.glb`);
  const extra = options.convert.split(' ').filter(Boolean);
  const [input, ...companions] = inputs;
  convert(animfmt, inputs, output, extra);
  return output;
}

/** The kind and files for the evaluator of the source format, or null if no evaluator supports it. */
function sourceOf(inputs, { json }) {
  const [first, second] = inputs;
  const extras = json.scenes?.[0]?.extras ?? {};
  switch (extname(first).toLowerCase()) {
    case '.amo': return extras.amo ? [`amo-${extras.amo.dialect}`, [first]] : null;
    case '.kanim':
    case '.castle-anim-frames': return ['castle', [first]];
    case '.bvh': return ['bvh', [first]];
    case '.anm': return /\.tmd$/i.test(second ?? '') ? ['tmd', [first, second]] : null;
    default: return null;
  }
}

/** The maximum error of the GLB compared with its source, relative to its size. */
function againstSource(inputs, glb, file, asked, size) {
  const source = sourceOf(inputs, glb);
  if (!source) return null;
  const [kind, files] = source;
  const own = asked.map(({ animation, seconds }) =>
    animation === null ? '@' : `${animation}@${seconds + glb.animations[animation].offset}`);
  const ours = places('glb-shown', [file], asked.map(({ text }) => text));
  // A GLB has more nodes than the source has joints.
  const distance = kind === 'bvh' ? (a, b) => farthestFrom(b, a) : farthestOfSets;
  const theirs = places(kind, files, own);
  // For AMO, the faces are evaluated. A file with only bones does not have any.
  if (theirs.every((points) => points.length === 0)) return null;
  return Math.max(...ours.map((points, i) => distance(points, theirs[i]))) / size;
}

/** The times to compare for all animations: each alone, and each after another animation. */
function momentsOf({ animations }) {
  const alone = [];
  const after = [];
  const count = Math.min(animations.length, MOST_ANIMATIONS);
  for (let animation = 0; animation < count; animation += 1) {
    for (const seconds of timesOf(animations[animation])) {
      alone.push({ animation, seconds, text: `${animation}@${seconds}` });
    }
    const before = (animation + 1) % count;
    if (before !== animation && !animations[animation].isPartial) {
      const seconds = timesOf(animations[animation]).at(1) ?? 0;
      after.push({ animation, seconds, text: `${before}>${animation}@${seconds}` });
    }
  }
  if (alone.length === 0) alone.push({ animation: null, seconds: 0, text: '@' });
  return { alone, after };
}

/** The errors of a program relative to the size: each clip alone, and after another clip. */
function measure(consumer, file, glb, moments, reference, size) {
  const { alone, after } = moments;
  const texts = (list) => list.map(({ text }) => text);
  const distance = (a, b) => (consumer.ordered && a.length === b.length ? farthestInOrder(a, b) : farthestOfSets(a, b));
  const worst = (found, wanted) => Math.max(0, ...found.map((points, i) => distance(points, wanted[i]))) / size;
  if (consumer.meshesOnly && !(glb.json.meshes?.length > 0)) return { alone: null, after: 0 };
  if (consumer.writes) {
    const output = join(options.out, `${basename(file, '.glb')}.again.glb`);
    run(consumer.writes(file, output));
    const names = readGlb(output).animations.map(({ name }) => name);
    const texts = alone.map(({ animation, seconds }) => {
      const number = animation === null ? -1 : names.indexOf(glb.animations[animation].name);
      return number === -1 ? '@' : `${number}@${seconds}`;
    });
    return { alone: worst(places('glb', [output], texts), reference.alone), after: 0 };
  }
  const found = decode(run(consumer.command(file, [...texts(alone), ...texts(after)])));
  return {
    alone: worst(found.slice(0, alone.length), reference.alone),
    after: worst(found.slice(alone.length), reference.after),
  };
}

function measureAll(inputs, number) {
  const file = glbOf(inputs, number);
  const glb = readGlb(file);
  const moments = momentsOf(glb);
  const texts = [...moments.alone, ...moments.after].map(({ text }) => text.replace(/.*>/, ''));
  const points = places('glb', [file], texts);
  const reference = { alone: points.slice(0, moments.alone.length), after: points.slice(moments.alone.length) };
  const size = Math.max(...points.map(diagonal)) || 1;
  const cell = (measured) => {
    try {
      return measured();
    } catch (error) {
      return { failure: error.message };
    }
  };
  const source = cell(() => ({ alone: againstSource(inputs, glb, file, moments.alone, size), after: 0 }));
  if (source.failure) {
    // The evaluators reject malformed files.
    console.error(`${inputs[0]}: not evaluated: ${source.failure}`);
    source.alone = null;
    delete source.failure;
  }
  const found = CONSUMERS.map((consumer) => cell(() => measure(consumer, file, glb, moments, reference, size)));
  return { name: basename(inputs[0]), file, source, found };
}

function shown(cell) {
  if (cell.failure) return cell.failure.slice(0, 80).replaceAll('|', '/');
  if (cell.alone === null) return '–';
  return cell.after > Math.max(limit, 2 * cell.alone)
    ? `${cell.alone.toExponential(0)}; after another clip ${cell.after.toExponential(0)}`
    : cell.alone.toExponential(0);
}

const limit = Number(options.limit);
const isBad = (cell, most) => Boolean(cell.failure) || cell.alone > most || cell.after > most;

function versionOf({ version, name }) {
  if (name === 'VTK') return run([options.python, '-c', 'import vtk; print(vtk.vtkVersion().GetVTKVersion())']).toString().trim();
  return JSON.parse(readFileSync(join(HERE, '../node_modules', version, 'package.json'))).version;
}

mkdirSync(options.out, { recursive: true });
const animfmt = build(options.animfmt);
const files = positionals.length > 0 ? positionals.map((text) => ({ inputs: text.split('+') })) : fixtures();
// BVH angles become linear keys, accurate to 0.1 % of a joint's range of rotation.
const columns = [{ name: 'source', limit: 1e-3 }, ...CONSUMERS];
const rows = [];
const totals = columns.map(() => ({ bad: 0, failed: 0, worst: 0, after: 0, count: 0 }));
for (const [number, { inputs, known }] of files.entries()) {
  let row;
  try {
    row = measureAll(inputs, number);
  } catch (error) {
    console.error(`${inputs.join('+')}: ${error.message}`);
    totals[0].failed += 1;
    rows.push(`| ${basename(inputs[0])} | ${error.message.slice(0, 80)} |`);
    continue;
  }
  const cells = [row.source, ...row.found];
  cells.forEach((cell, i) => {
    if (cell.alone === null) return;
    totals[i].count += 1;
    const isKnown = known?.includes(columns[i].name);
    totals[i].bad += !isKnown && isBad(cell, columns[i].limit ?? limit) ? 1 : 0;
    totals[i].failed += cell.failure ? 1 : 0;
    totals[i].worst = Math.max(totals[i].worst, cell.alone ?? 0);
    totals[i].after = Math.max(totals[i].after, cell.after ?? 0);
  });
  rows.push(`| ${row.name} | ${cells.map(shown).join(' | ')} |`);
  console.error(rows.at(-1));
}

const versions = columns.map((column) => (column.version ? `${column.name} ${versionOf(column)}` : column.name));
const summary = columns.map((_, i) => {
  const { bad, failed, worst, after, count } = totals[i];
  return `| ${versions[i]} | ${count} | ${bad} (${columns[i].limit ?? limit}) | ${failed} | ${worst.toExponential(1)} | ${after.toExponential(1)} |`;
});
const table = [
  `| file | ${versions.join(' | ')} |`,
  `|---|${versions.map(() => '---').join('|')}|`,
  ...rows,
  '',
  `| consumer | files | beyond the limit | failed | largest error | after another clip |`,
  '|---|---|---|---|---|---|',
  ...summary,
  '',
].join('\n');
if (options.table) writeFileSync(options.table, table);
console.log(table);
process.exit(totals.some(({ bad, failed }) => bad + failed > 0) ? 1 : 0);
