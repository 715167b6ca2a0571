// Files that come in, are shown, repaired and converted.

import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ROOT, run } from '../consumers/tools.mjs';
import { holds, same } from '../viewer/expect.mjs';

const data = (path) => join(ROOT, 'testdata', path);

/** Calls a function with a new folder. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'animfmt-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What to convert: files, the format, options. The first file is open, the others are used with it. */
const CONVERSIONS = [
  { files: ['cookbook/reed.amo'], to: ['glb', 'gltf', 'x3d', 'x3dv', 'cast', 'bvh', 'castle', 'tmd-anm', 'amo'] },
  { files: ['amo/ok/octopus_arm.amo', 'amo/ok/octopus_arm.mtl', 'amo/ok/octopus_arm.png'], open: 1, to: ['glb', 'gltf'] },
  { files: ['cookbook/WALK.ANM', 'cookbook/RABBIT.TMD'], to: ['glb', 'x3d'] },
  { files: ['cookbook/lamp.stt', 'cookbook/lamp.gltf'], to: ['glb', 'godot', 'unity'] },
  { files: ['cookbook/lamp.stt'], to: ['dot', 'mermaid', 'stt'] },
  { files: ['cookbook/robot.gltf'], to: ['glb', 'amo', 'anm-text'] },
  { files: ['bvh/ok/arm.bvh'], to: ['glb', 'bvh'] },
  { files: ['castle/ok/growing_box.castle-anim-frames'], to: ['glb', 'x3d'] },
];

export const TESTS = {
  async 'a dropped file is played'({ open }) {
    const site = await open();
    await site.drop(data('cookbook/reed.amo'));
    const viewer = await site.viewer();
    const time = () => viewer.evaluate(() => window.animfmt.page.time);
    const before = await time();
    await new Promise((done) => { setTimeout(done, 400); });
    holds(await time() !== before, 'it does not play');
    holds((await viewer.evaluate(() => window.animfmt.vertices().length)) > 0, 'nothing is drawn');
    same(await site.page.title(), 'reed.amo – animfmt', 'title');
    holds((await site.text('#notice')).includes('3 joints'), await site.text('#notice'));
    same(await site.page.$eval('iframe', (frame) => frame.getAttribute('sandbox')), 'allow-scripts', 'rights of the frame');
  },

  async 'textures and frames are found in a dropped folder'({ open }) {
    await inFolder(async (folder) => {
      for (const name of ['octopus_arm.amo', 'octopus_arm.mtl', 'octopus_arm.png']) copyFileSync(data(`amo/ok/${name}`), join(folder, name));
      writeFileSync(join(folder, 'notes.txt'), 'not an animation');
      cpSync(data('castle/ok/frames'), join(folder, 'castle/frames'), { recursive: true });
      copyFileSync(data('castle/ok/frames_gltf.castle-anim-frames'), join(folder, 'castle/hop.castle-anim-frames'));
      const site = await open();
      await site.drop(folder);
      const name = basename(folder);
      const files = await site.page.evaluate(() => window.animfmt.app.listing.files);
      const owners = (path) => files.find((file) => file.path === `${name}/${path}`).companion_of;
      same(owners('octopus_arm.png'), [`${name}/octopus_arm.mtl`, `${name}/octopus_arm.amo`].filter((path) => owners('octopus_arm.png').includes(path)), 'the image belongs to its model');
      holds(owners('octopus_arm.png').length > 0, 'nothing uses the image');
      same(owners('castle/frames/hop_low.gltf'), [`${name}/castle/hop.castle-anim-frames`], 'a frame');
      await site.page.evaluate((path) => window.animfmt.app.open(path), `${name}/octopus_arm.amo`);
      await site.tab('view');
      const viewer = await site.viewer();
      same(await viewer.evaluate(() => window.animfmt.page.stages[0].model.images?.length ?? window.animfmt.page.stages[0].model.textures.length), 1, 'images');
      await site.page.evaluate((path) => window.animfmt.app.open(path), `${name}/castle/hop.castle-anim-frames`);
      await site.tab('facts');
      holds((await site.text('#panel-facts')).includes('1 note'), await site.text('#panel-facts'));
    });
  },

  async 'folders and files are chosen with buttons'({ open }) {
    const site = await open();
    const [files, folder] = [await site.page.$('#pick-files'), await site.page.$('#pick-folder')];
    await files.uploadFile(data('cookbook/WALK.ANM'), data('cookbook/RABBIT.TMD'));
    await site.settle();
    same(await site.page.evaluate(() => window.animfmt.app.subject.options.with), ['RABBIT.TMD'], 'the model is used with the animation');
    await site.viewer();
    await site.click('#clear');
    await folder.uploadFile(data('cookbook/animations'));
    await site.settle();
    const paths = await site.page.evaluate(() => window.animfmt.app.listing.files.map(({ path }) => path));
    same(paths, ['animations/door.castle-anim-frames', 'animations/knight/attack.castle-anim-frames', 'animations/knight/walk.castle-anim-frames'], 'files');
  },

  async 'a model that is dropped later is used with the open animation'({ open }) {
    const site = await open();
    await site.drop(data('cookbook/lamp.stt'));
    await site.viewer();
    await site.drop(data('cookbook/lamp.gltf'));
    const { path, options } = await site.page.evaluate(() => ({ path: window.animfmt.app.subject.path, options: window.animfmt.app.subject.options }));
    same([path, options.with], ['lamp.stt', ['lamp.gltf']], 'open');
    await site.click('.with input');
    same(await site.page.evaluate(() => window.animfmt.app.subject.options.with), [], 'not used any more');
    await site.viewer();
    await site.drop(data('cookbook/reed.amo'));
    same(await site.page.evaluate(() => window.animfmt.app.subject.path), 'reed.amo', 'a file of its own is opened');
  },

  async 'the place of an error is marked'({ open }) {
    const site = await open();
    await site.drop(data('cookbook/broken.amo'));
    same(await site.page.$eval('[role=tab][aria-selected=true]', (tab) => tab.id), 'tab-problems', 'tab');
    same(await site.text('#tab-problems'), 'Problems1', 'tab');
    same(await site.text('#panel-problems mark'), '5', 'marked');
    same(await site.text('#panel-problems .source'), 'f 1/1/1/1/1 5/2/1/1/1 3/3/1/2/2', 'line');
    holds((await site.text('#panel-problems')).includes('16:13'), 'no place');
    await site.tab('repair');
    holds((await site.text('#panel-repair')).includes('None of the problems'), await site.text('#panel-repair'));
    const shown = await site.page.evaluate(async () => {
      const { engine, subject } = window.animfmt.app;
      const { files, models } = await engine.call('Preparing', 'view', subject.path, { ...subject.options, fix: true });
      return { more: files.map(({ more }) => more), models: models.length };
    });
    same(shown, { more: [['nothing to repair: none of the problems has an unambiguous repair']], models: 1 }, 'shown once');
  },

  async 'repairs are shown as a diff, and equal those of the program'({ open, animfmt }) {
    const site = await open();
    const path = data('cookbook/sloppy.amo');
    await site.drop(path);
    await site.tab('repair');
    const lines = (kind) => site.page.$$eval(`.diff-${kind}`, (all) => all.map((line) => line.textContent.trim()));
    same(await lines('removed'), ['-vw 0.5 0 0 0', '-J hinge -1', '-ar 1 1 0 0.7071 0 0.7071'], 'removed');
    same(await lines('added'), ['+vw 1 0 0 0', '+j hinge -1', '+ar 1 1 0 0.7071 0 0.7071'], 'added');
    const { name, bytes } = await site.download(await site.page.$('#panel-repair .primary'));
    await inFolder((folder) => {
      const copy = join(folder, 'sloppy.amo');
      copyFileSync(path, copy);
      run([animfmt, 'check', '--fix', copy]);
      same([name, bytes.toString()], ['sloppy.amo', readFileSync(copy, 'utf8')], 'repaired file');
    });
    const buttons = await site.page.$$('#panel-repair .row button');
    await buttons[1].click();
    await site.settle();
    const viewer = await site.viewer();
    same(await viewer.evaluate(() => window.animfmt.page.stages.length), 2, 'before and after');
    await site.tab('repair');
    await (await site.page.$$('#panel-repair .row button'))[2].click();
    await site.settle();
    holds((await site.text('#notice')).includes('no problems'), await site.text('#notice'));
  },

  async 'converted files are those of the program, byte for byte'({ open, animfmt }) {
    let compared = 0;
    for (const { files, open: first = files.length, to } of CONVERSIONS) {
      const site = await open();
      await site.drop(...files.map(data));
      const path = basename(files[0]);
      const used = files.slice(1, first).map((file) => basename(file));
      await site.page.evaluate((...how) => window.animfmt.app.open(...how), path, used);
      await site.tab('convert');
      for (const target of to) {
        await site.page.select('#target', target);
        await site.click('#conversion .primary');
        const made = await site.page.$$eval('.outputs .name', (all) => all.map((name) => name.textContent));
        holds(made.length > 0, `${path} to ${target}: ${await site.text('#converted')}`);
        await inFolder(async (folder) => {
          for (const file of files) copyFileSync(data(file), join(folder, basename(file)));
          const out = join(folder, 'out');
          mkdirSync(out);
          const others = used.flatMap((file) => ['--with', join(folder, file)]);
          // The folder of an output is part of the addresses in it.
          const [output, moved] = path === made[0] ? [join(out, made[0]), []] : [join(folder, made[0]), made];
          run([animfmt, 'convert', join(folder, path), ...others, '--to', target, '-o', output]);
          for (const name of moved) renameSync(join(folder, name), join(out, name));
          same([...made].sort(), readdirSync(out).sort(), `${path} to ${target}: names`);
          for (const [number, button] of (await site.page.$$('.outputs button')).entries()) {
            const { bytes } = await site.download(button);
            const wanted = readFileSync(join(out, made[number]));
            holds(bytes.equals(wanted), `${made[number]} differs: ${bytes.length} instead of ${wanted.length} bytes`);
            compared += 1;
          }
        });
      }
    }
    return `${compared} files`;
  },

  async 'what a conversion loses is listed, and options are applied'({ open, animfmt }) {
    const site = await open('#sample=robot&tab=convert&to=x3d');
    await site.settle();
    await site.click('#conversion .primary');
    holds(/x3d-loss-events/.test(await site.text('#converted')), await site.text('#converted'));
    await site.click('.with input');
    await site.page.select('#target', 'glb');
    await site.page.type('#option-fps', '7');
    await site.click('#conversion .primary');
    const { bytes } = await site.download(await site.page.$('.outputs button'));
    await inFolder((folder) => {
      run([animfmt, 'convert', data('cookbook/robot.gltf'), '--fps', '7', '-o', join(folder, 'robot.glb')]);
      holds(bytes.equals(readFileSync(join(folder, 'robot.glb'))), 'another file');
    });
  },
};
