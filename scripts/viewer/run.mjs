// Tests the page of `animfmt view` in headless Chromium: node viewer/run.mjs [OPTIONS] [FILE…]. See
// ../README.md.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, fixtures, ROOT } from '../consumers/tools.mjs';
import { Browser } from './browser.mjs';
import { controls } from './controls.mjs';
import { measure } from './vertices.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    animfmt: { type: 'string' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
    limit: { type: 'string', default: '1e-5' },
    out: { type: 'string', default: join(ROOT, 'target/viewer') },
    only: { type: 'string', default: 'vertices,controls' },
    pictures: { type: 'boolean', default: false },
  },
});

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
  if (only.includes('vertices')) {
    const files = positionals.length > 0 ? positionals.map((text) => text.split('+')) : fixtures().map(({ inputs }) => inputs);
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
