// Tests the site that `cargo xtask web` builds in headless Chromium: node web/run.mjs [OPTIONS]. See
// ../README.md.

import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, ROOT } from '../consumers/tools.mjs';
import { Problem } from '../viewer/expect.mjs';
import * as files from './files.mjs';
import * as hostile from './hostile.mjs';
import * as large from './large.mjs';
import * as use from './use.mjs';
import { Pages } from './pages.mjs';

const { values: options } = parseArgs({
  options: {
    animfmt: { type: 'string' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
    site: { type: 'string', default: join(ROOT, 'target/web') },
    only: { type: 'string', default: '' },
    pictures: { type: 'boolean', default: false },
    out: { type: 'string', default: join(ROOT, 'target/web-tests') },
  },
});

for (const [what, path] of [['browser', options.chromium], ['site', join(options.site, 'index.html')]]) {
  if (existsSync(path)) continue;
  console.error(`skipped: there is no ${what} at ${path}`);
  process.exit(2);
}
/** Ends a test that does not end. */
const late = () => new Promise((_, fail) => { setTimeout(() => fail(new Problem('it does not end')), 240_000).unref(); });
mkdirSync(options.out, { recursive: true });
const animfmt = build(options.animfmt);
const pages = await Pages.start(options.chromium, resolve(options.site));
let failed = 0;
try {
  for (const [name, test] of [files, use, hostile, large].flatMap(({ TESTS }) => Object.entries(TESTS))) {
    if (!name.includes(options.only)) continue;
    const sites = [];
    const open = async (...how) => {
      sites.push(await pages.open(...how));
      return sites.at(-1);
    };
    let problem = null;
    let note = null;
    try {
      note = await Promise.race([test({ open, animfmt, options }), late()]);
      // No request leaves the machine, and pages say nothing.
      problem = [...sites.flatMap(({ said }) => said), ...pages.outside.splice(0).map((url) => `left the machine: ${url}`)].join('\n       ');
    } catch (error) {
      problem = `${error instanceof Problem ? error.message : error.stack}${sites.flatMap(({ said }) => said).map((text) => `\n       ${text}`).join('')}`;
    }
    for (const site of sites) await site.close().catch(() => {});
    failed += problem ? 1 : 0;
    console.log(`${problem ? 'FAILED' : 'fine  '} ${name}${note ? `: ${note}` : ''}${problem ? `\n       ${problem}` : ''}`);
  }
} finally {
  await pages.stop();
}
process.exit(failed > 0 ? 1 : 0);
