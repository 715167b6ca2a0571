// Files of 100 MB: they are read with progress, shown and converted, and can be cancelled.

import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { holds } from '../viewer/expect.mjs';
import { largeGlb } from '../viewer/large.mjs';
import { inFolder } from './files.mjs';

const MEGABYTES = 100;

/** A BVH of this size: one joint, many frames. */
function largeBvh(path) {
  const line = '0.125 1.5 -2.25 10.5 20.25 -30.125\n';
  const frames = Math.ceil((MEGABYTES * 1e6) / line.length);
  const file = openSync(path, 'w');
  const channels = 'CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation';
  writeSync(file, `HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\n${channels}\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: ${frames}\nFrame Time: 0.008333\n`);
  const many = line.repeat(10_000);
  for (let left = frames; left > 0; left -= 10_000) writeSync(file, left >= 10_000 ? many : line.repeat(left));
  closeSync(file);
}

/** A GLB of this size: a large buffer beside a small model. */
function paddedGlb(path) {
  const small = largeGlb();
  const length = small.readUInt32LE(12);
  const json = JSON.parse(small.subarray(20, 20 + length).toString());
  const bin = small.subarray(28 + length);
  const size = MEGABYTES * 1e6 - (MEGABYTES * 1e6 % 4);
  json.buffers[0].byteLength = size;
  // The rest of the buffer is an accessor, so that it is read.
  json.bufferViews.push({ buffer: 0, byteOffset: bin.length, byteLength: size - bin.length - ((size - bin.length) % 4) });
  let text = JSON.stringify(json);
  text += ' '.repeat((4 - (text.length % 4)) % 4);
  const head = Buffer.alloc(20);
  head.write('glTF');
  [2, 28 + text.length + size, text.length, 0x4e4f534a].forEach((value, i) => head.writeUInt32LE(value, 4 + i * 4));
  const chunk = Buffer.alloc(8);
  chunk.writeUInt32LE(size, 0);
  chunk.writeUInt32LE(0x004e4942, 4);
  const file = openSync(path, 'w');
  for (const part of [head, Buffer.from(text), chunk, bin, Buffer.alloc(size - bin.length)]) writeSync(file, part);
  closeSync(file);
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
const LONG = 300_000;

export const TESTS = {
  async 'a GLB of 100 MB is shown'({ open }) {
    const site = await open();
    return inFolder(async (folder) => {
      const path = join(folder, 'large.glb');
      paddedGlb(path);
      const started = Date.now();
      await site.drop(path);
      await site.viewer();
      const heap = await site.page.evaluate(() => performance.memory.usedJSHeapSize);
      return `${(statSync(path).size / 1e6).toFixed(0)} MB in ${seconds(started)}, heap of the page ${(heap / 1e6).toFixed(0)} MB`;
    });
  },

  async 'a BVH of 100 MB is checked and converted, or says what it needs, and the page lives'({ open }) {
    const site = await open('#tab=facts');
    return inFolder(async (folder) => {
      const path = join(folder, 'large.bvh');
      largeBvh(path);
      const started = Date.now();
      await site.drop(path);
      await site.settle(LONG);
      const checked = seconds(started);
      const facts = await site.text('#panel-facts');
      const again = Date.now();
      if (await site.page.evaluate(() => window.animfmt.app.subject.opened)) {
        await site.page.click('#tab-convert');
        await site.settle(LONG);
        await site.page.click('#conversion .primary');
        await site.settle(LONG);
      }
      const said = (await site.page.$('#converted')) ? await site.text('#converted') : facts;
      return `checked in ${checked}, converted in ${seconds(again)}: ${said.split('\n').slice(0, 3).join(' ')}`;
    });
  },

  async 'long work shows what it does, and can be cancelled'({ open }) {
    const site = await open('#tab=convert');
    await inFolder(async (folder) => {
      const path = join(folder, 'large.bvh');
      largeBvh(path);
      const dropped = site.drop(path);
      await site.page.waitForSelector('#busy:not([hidden])', { timeout: 60_000 });
      holds(/Reading|Checking|file/.test(await site.text('#busy-text')), await site.text('#busy-text'));
      await site.page.click('#cancel');
      await dropped;
      await site.page.waitForSelector('#busy', { hidden: true });
      const text = `${await site.text('#notice')} ${await site.text('main')}`;
      holds(text.includes('Cancelled'), text);
    });
    await site.page.evaluate(() => { location.hash = '#sample=reed&tab=view'; });
    await site.page.waitForFunction(() => window.animfmt.app.subject?.path === 'reed.amo');
    await site.viewer();
  },
};
