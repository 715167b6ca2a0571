// Files that mean harm, and work that stops: the page says what happened, and lives.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../consumers/tools.mjs';
import { holds, same } from '../viewer/expect.mjs';
import { inFolder } from './files.mjs';

const data = (path) => join(ROOT, 'testdata', path);
const shapes = (count, field) => `#X3D V3.3 utf8\nPROFILE Interchange\n${Array.from({ length: count }, () => `Shape { geometry ${field} }`).join('\n')}`;

/** Small files that ask for much. */
const BOMBS = {
  'empty.amo': '',
  'noise.bvh': Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)),
  'entities.x3d': `<?xml version="1.0"?><!DOCTYPE X3D [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'.split('').map((name, i) => `<!ENTITY ${name} "${`&${'abcdefghij'[i]};`.repeat(10)}">`).join('')}]><X3D><Scene><Shape DEF="&j;"/></Scene></X3D>`,
  'deep.x3d': `<X3D><Scene>${'<Group>'.repeat(200_000)}</Scene></X3D>`,
  'deep.x3dv': `#X3D V3.3 utf8\n${'Group { children [ '.repeat(200_000)}`,
  'zeros.x3dz': gzipSync(Buffer.alloc(400 << 20)),
  'extrusion.x3dv': shapes(400, 'Extrusion { crossSection [ 0 0 1 1 0 1 0 0 ] spine [ 0 0 0 0 1 0 0 2 0 ] }'),
  'grid.x3dv': shapes(1, 'ElevationGrid { xDimension 2000000000 zDimension 2000000000 }'),
  'sphere.x3d': `<X3D><Scene><Shape DEF="S"><Sphere/></Shape>${'<Shape USE="S"/>'.repeat(50_000)}</Scene></X3D>`,
  'counts.gltf': JSON.stringify({ asset: { version: '2.0' }, accessors: [{ componentType: 5126, type: 'MAT4', count: 4_000_000_000 }], meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }], nodes: [{ mesh: 0 }], scenes: [{ nodes: [0] }] }),
  'groups.amo': `ao a\n${Array.from({ length: 20_000 }, (_, i) => `v ${i} 0 0\nj b${i} -1\na c${i}\nar ${i} 1 0 0 0 1`).join('\n')}`,
  'frames.bvh': 'HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION\nFrames: 4000000000\nFrame Time: 0.0000001\n0 0 0\n',
};

export const TESTS = {
  async 'files that ask for too much are reported, and the page lives'({ open }) {
    const site = await open();
    const said = [];
    await inFolder(async (folder) => {
      for (const [name, content] of Object.entries(BOMBS)) {
        const path = join(folder, name);
        writeFileSync(path, content);
        const started = Date.now();
        await site.drop(path);
        for (const tab of ['view', 'repair', 'convert']) await site.tab(tab);
        if (await site.page.$('#conversion .primary')) await site.click('#conversion .primary');
        const { opened, error } = await site.page.evaluate(() => {
          const { subject } = window.animfmt.app;
          return { opened: subject.opened?.totals_text, error: subject.error?.message };
        });
        const alerts = await site.page.$$eval('[role=alert]', (all) => all.map((alert) => alert.innerText));
        holds(!alerts.some((text) => text.includes('stopped')), `${name}: ${alerts}`);
        holds(error || opened, `${name}: nothing is said`);
        if (error) holds(alerts.length > 0 && alerts.every((text) => text.includes(error.split('\n')[0])), `${name}: ${alerts}`);
        said.push(`${name}: ${error ?? opened} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
        await site.click('#clear');
      }
    });
    await site.drop(data('cookbook/reed.amo'));
    await site.viewer();
    return `\n       ${said.join('\n       ')}`;
  },

  async 'a worker that stops is replaced, and the files are still there'({ open }) {
    const site = await open();
    await site.drop(data('cookbook/reed.amo'));
    await site.viewer();
    // The worker does not know this call, which it treats like a trap.
    await site.page.evaluate(() => {
      const { engine } = window.animfmt.app;
      engine.ask = engine.call;
      engine.call = (work, name, ...args) => engine.ask(work, name === 'repair' ? 'nothing' : name, ...args);
    });
    await site.tab('repair');
    const text = await site.text('#panel-repair [role=alert]');
    holds(text.includes('stopped') && text.includes('Try again'), text);
    await site.page.evaluate(() => {
      const { engine } = window.animfmt.app;
      engine.call = engine.ask;
    });
    await site.click('#panel-repair [role=alert] button');
    holds((await site.text('#panel-repair')).includes('nothing to repair'), await site.text('#panel-repair'));
  },

  async 'a file that is too large is refused before it is read'({ open }) {
    const site = await open();
    await site.page.evaluate(() => {
      const file = { size: 6e8, name: 'large.bvh', arrayBuffer: () => { throw new Error('it is read'); } };
      return window.animfmt.app.take(() => [{ path: 'large.bvh', file }]);
    });
    const text = await site.text('#notice');
    holds(text.includes('600.0 MB') && text.includes('536.9 MB'), text);
    same(await site.page.$eval('#welcome', (welcome) => welcome.hidden), false, 'the start is hidden');
  },

  async 'unsupported files are named, with the reason'({ open }) {
    const site = await open();
    await inFolder(async (folder) => {
      writeFileSync(join(folder, 'photo.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]));
      await site.drop(join(folder, 'photo.jpg'));
    });
    holds(/unsupported|not a supported/.test(await site.text('.panel:not([hidden]) [role=alert]')), await site.text('#panels'));
  },
};
