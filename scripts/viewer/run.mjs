// Tests the page of `animfmt view` in headless Chromium: node viewer/run.mjs [OPTIONS] [FILE…]. See
// ../README.md.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, fixtures, ROOT } from '../consumers/tools.mjs';
import { Browser } from './browser.mjs';
import { controls } from './controls.mjs';
import { Comparison } from './pictures.mjs';
import { measure } from './vertices.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    animfmt: { type: 'string' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
    limit: { type: 'string', default: '1e-5' },
    out: { type: 'string', default: join(ROOT, 'target/viewer') },
    only: { type: 'string', default: 'vertices,pictures,controls' },
    pictures: { type: 'boolean', default: false },
  },
});

/** How much pictures must overlap, and how far colours may be apart on average. */
const [LEAST_SAME, MOST_APART] = [0.985, 3];

if (!existsSync(options.chromium)) {
  console.error(`skipped: there is no browser at ${options.chromium}`);
  process.exit(2);
}
mkdirSync(options.out, { recursive: true });
const animfmt = build(options.animfmt);
const only = options.only.split(',');
const limit = Number(options.limit);
const browser = await Browser.start(options.chromium);
let failed = 0;
try {
  const files = positionals.length > 0 ? positionals.map((text) => text.split('+')) : fixtures().map(({ inputs }) => inputs);
  if (only.includes('vertices')) {
    let worst = 0;
    for (const inputs of files) {
      const failure = (why) => ({ name: inputs.join('+'), error: Infinity, moments: 0, problems: [why.message] });
      const { name, error, moments, problems } = await measure(browser, animfmt, inputs, options).catch(failure);
      const isBad = !(error <= limit) || problems.length > 0;
      failed += isBad ? 1 : 0;
      worst = Math.max(worst, error);
      console.log(`${isBad ? 'FAILED' : 'fine  '} ${error.toExponential(1)} at ${moments} moments  ${name}${problems.map((text) => `\n       ${text}`).join('')}`);
    }
    console.log(`${files.length} files: largest error ${worst.toExponential(1)} of the size (limit ${limit})`);
  }
  if (only.includes('pictures')) {
    const comparison = await Comparison.start(browser, animfmt, options);
    let [compared, moments] = [0, 0];
    for (const inputs of files) {
      const found = await comparison.measure(inputs).catch((error) => ({ name: inputs.join('+'), skipped: null, problem: error.message }));
      if (found.skipped || found.moments === 0) {
        console.log(`       ${found.name}: ${found.skipped ?? 'too little of the picture is covered'}`);
        continue;
      }
      const { name, least, colors, worst, said, problem } = found;
      const isBad = problem || said.length > 0 || Object.values(least).some((same) => same < LEAST_SAME) || Object.values(colors).some((apart) => apart > MOST_APART);
      failed += isBad ? 1 : 0;
      if (!problem) {
        compared += 1;
        moments += found.moments;
      }
      const of = (other) => `${other} ${least[other].toFixed(4)} (colours ${colors[other].toFixed(1)})`;
      console.log(`${isBad ? 'FAILED' : 'fine  '} ${problem ?? `${of('three')}, ${of('page')}`}  ${name}${isBad && worst ? ` ${JSON.stringify(worst)} ${said.join(' ')}` : ''}`);
    }
    console.log(`${compared} files at ${moments} moments: pictures overlap by at least ${LEAST_SAME}, colours differ by at most ${MOST_APART} of 255`);
    await comparison.close();
  }
  if (only.includes('controls')) {
    for (const { name, problem, note } of await controls(browser, animfmt, options)) {
      failed += problem ? 1 : 0;
      console.log(`${problem ? 'FAILED' : 'fine  '} ${name}${note ? `: ${note}` : ''}${problem ? `\n       ${problem}` : ''}`);
    }
  }
} finally {
  await browser.close();
}
process.exit(failed > 0 ? 1 : 0);
