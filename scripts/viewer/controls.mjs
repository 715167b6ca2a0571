// Tests what the page does when it is used: with the mouse, touch and the keyboard.

import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { farthestOfSets } from '../consumers/compare.mjs';
import { ROOT, run } from '../consumers/tools.mjs';
import { Problem, holds, same } from './expect.mjs';
import { largeGlb } from './large.mjs';
import { quad } from './quad.mjs';
import { view } from './vertices.mjs';

const data = (path) => join(ROOT, 'testdata', path);
const sleep = (time) => new Promise((done) => setTimeout(done, time));
const CLIP_CHANGES = 1000;
const STATE_TIMES = [0, 0.3, 0.75, 1.7, 2.9, 5.1, 7.3, 33.3];
const STATES = ['published_1', 'published_2', 'published_3', 'channel_9_delta', 'channel_5_one_way_forwards', 'offset_negative', 'dynamic_three_channels', 'keyframe_nodes_differ', 'keyframe_clock_runs_on', 'lamp_keyframes'];
/** Two states that hold the shade of the lamp in two places. */
const SECOND = ['#MINDRENDER 1.1', 2, ...[['up', 14], ['down', 10]].flatMap(([name, height]) => [`{${name}}`, 'SINGLE', 1, '{shade}', 'STATIC', `0 ${height} 0`, '0 0 0', '0 0 0']), ''].join('\n');
/** Waves are baked to this part of their range. */
const BAKED = 2e-4;

/** Runs all tests. Returns the name of each, and the problem if it failed. */
export async function controls(browser, animfmt, options) {
  const results = [];
  for (const [name, test] of Object.entries(TESTS)) {
    const opened = [];
    const open = async (place, how) => {
      const made = await browser.open(place, how);
      opened.push(made);
      return made.page;
    };
    const make = (files, extra) => view(animfmt, files, options.out, extra);
    let problem = null;
    let note = null;
    try {
      note = await test({ open, make, animfmt, options, opened });
      const said = opened.flatMap((made) => made.said);
      if (said.length > 0) problem = said.join('\n       ');
    } catch (error) {
      problem = error instanceof Problem ? error.message : error.stack;
    }
    for (const { page } of opened) await page.close();
    results.push({ name, problem, note });
  }
  return results;
}

const state = (page) => page.evaluate(() => {
  const { page: own } = window.animfmt;
  return { chosen: own.entries[own.chosen]?.name, time: own.time, isPlaying: own.isPlaying, speed: own.speed, loop: own.loop, look: { ...own.look, colors: undefined }, up: own.camera.up };
});
const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const still = { motion: 'reduce' };

const TESTS = {
  async 'the page plays at once, and stops for people who prefer less motion'({ open, make }) {
    const html = make([data('amo/ok/octopus_arm.amo')]);
    const page = await open(html);
    const before = await state(page);
    await sleep(400);
    const after = await state(page);
    holds(before.isPlaying && after.time > before.time, `${before.time} s, then ${after.time} s`);
    const calm = await open(html, still);
    holds(!(await state(calm)).isPlaying, 'it plays');
  },

  async 'keys play, step, jump, choose clips and change the view'({ open, make }) {
    const page = await open(make([data('amo/ok/octopus_arm.amo')]), still);
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
      return state(page);
    };
    holds((await press('Space')).isPlaying, 'Space does not play');
    holds(!(await press('Space')).isPlaying, 'Space does not pause');
    same((await press('End')).time, 2, 'End');
    same((await press('Home')).time, 0, 'Home');
    holds((await press('ArrowRight', 'ArrowRight')).time > 0.05, 'arrows do not step');
    same((await press('2')).chosen, 'curl', '2');
    same((await press('ArrowUp')).chosen, 'wave', 'ArrowUp');
    same((await press('ArrowUp')).chosen, 'curl', 'ArrowUp from the first');
    same((await press('l', 'l')).loop, 'loop', 'L');
    same((await press('BracketLeft', 'BracketLeft')).speed, 0.25, '[');
    const { look } = await press('w', 'n', 'b', 'g', 'a');
    same(look, { mesh: true, wireframe: true, normals: true, bones: true, ground: false, axes: true }, 'toggles');
    same((await press('u')).up, 'Z', 'U');
    const dark = () => page.$eval('html', (html) => html.dataset.theme);
    same(await dark(), 'light', 'theme');
    await press('t');
    same(await dark(), 'dark', 'T');
    await press('?');
    holds(await page.$eval('#help', (help) => help.open), '? does not show the help');
    await press('Escape');
    holds(!(await page.$eval('#help', (help) => help.open)), 'Escape does not close the help');
    await settled(page);
  },

  async 'the timeline is scrubbed with the mouse, and with touch'({ open, make }) {
    const html = make([data('amo/ok/octopus_arm.amo')]);
    const page = await open(html, still);
    const { x, y, width } = await (await page.$('#timeline')).boundingBox();
    await page.mouse.click(x + width / 2, y + 10);
    holds(Math.abs((await state(page)).time - 1) < 0.02, `the middle is at ${(await state(page)).time} s`);
    await page.mouse.move(x + width / 2, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + width, y + 10, { steps: 4 });
    await page.mouse.up();
    same((await state(page)).time, 2, 'dragged to the end');
    const phone = await open(html, { ...still, touch: true, width: 390, height: 780 });
    const box = await (await phone.$('#timeline')).boundingBox();
    await phone.touchscreen.tap(box.x + box.width / 2, box.y + 10);
    holds(Math.abs((await state(phone)).time - 1) < 0.03, `a tap leads to ${(await state(phone)).time} s`);
  },

  async 'dragging turns, the wheel zooms, and two fingers zoom'({ open, make }) {
    const html = make([data('amo/ok/octopus_arm.amo')]);
    const page = await open(html, still);
    const camera = (of) => of.evaluate(() => ({ ...window.animfmt.page.camera, onChange: undefined }));
    const before = await camera(page);
    await page.mouse.move(300, 300);
    await page.mouse.down();
    await page.mouse.move(400, 320, { steps: 3 });
    await page.mouse.up();
    const turned = await camera(page);
    holds(turned.yaw < before.yaw && turned.pitch > before.pitch, 'it does not turn');
    await page.mouse.wheel({ deltaY: -100 });
    await sleep(50);
    holds((await camera(page)).distance < turned.distance, 'it does not zoom');
    const phone = await open(html, { ...still, touch: true, width: 390, height: 780 });
    const far = await camera(phone);
    const first = await phone.touchscreen.touchStart(150, 300);
    const second = await phone.touchscreen.touchStart(250, 300);
    await first.move(100, 300);
    await second.move(300, 300);
    await first.end();
    await second.end();
    await sleep(50);
    holds((await camera(phone)).distance < far.distance * 0.7, 'two fingers do not zoom');
  },

  async 'clips are chosen by clicking, and drawn'({ open, make }) {
    const page = await open(make([data('amo/ok/octopus_arm.amo')]), still);
    const points = async () => Float64Array.from(await page.evaluate(() => [...window.animfmt.vertices()]));
    const before = await points();
    await page.click('#list li:nth-child(2) button');
    await page.keyboard.press('End');
    await settled(page);
    same((await state(page)).chosen, 'curl', 'chosen');
    same(await page.$eval('#list li:nth-child(2) button', (button) => button.getAttribute('aria-pressed')), 'true', 'pressed');
    holds(farthestOfSets(await points(), before) > 0.01, 'the model does not move');
  },

  async 'events flash when they are crossed'({ open, make }) {
    const page = await open(make([data('cookbook/cuts.anm'), data('cookbook/robot.gltf')]), still);
    const cross = (seconds) => page.evaluate((step) => {
      const { page: own } = window.animfmt;
      own.crossed = [];
      own.advance(step);
      return own.crossed;
    }, seconds);
    same(await cross(0.4), [], 'to 0.4 s');
    same(await cross(0.2), ['step'], 'to 0.6 s');
    await settled(page);
    holds((await text(page, '#happening')).includes('step'), 'the event is not named');
    same(await cross(2), ['step', 'step'], 'over the end of the loop');
  },

  async 'names are shown below the pointer'({ open, make }) {
    const page = await open(make([data('cookbook/robot.gltf')]), still);
    await settled(page);
    const stages = await (await page.$('.stage')).boundingBox();
    await page.mouse.move(stages.x + stages.width / 2, stages.y + stages.height / 2);
    await settled(page);
    holds((await text(page, '.hover')).length > 0 && !(await page.$eval('.hover', ({ hidden }) => hidden)), 'no name');
    await page.mouse.move(stages.x + 4, stages.y + 4);
    await settled(page);
    holds(await page.$eval('.hover', ({ hidden }) => hidden), 'a name over nothing');
    const phone = await open(make([data('cookbook/robot.gltf')]), { ...still, touch: true, width: 390, height: 780 });
    await settled(phone);
    const box = await (await phone.$('.stage')).boundingBox();
    await phone.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await settled(phone);
    holds(!(await phone.$eval('.hover', ({ hidden }) => hidden)), 'no name after a tap');
  },

  async 'states are entered by clicking, and their poses are those of the program'({ open, make, animfmt }) {
    let worst = 0;
    for (const file of [join(ROOT, 'scripts/engines/guard.stt'), data('cookbook/lamp.stt'), ...STATES.map((name) => data(`stt/ok/${name}.stt`))]) {
      const page = await open(make([file]), still);
      await page.click('#at-once');
      const names = await page.evaluate(() => window.animfmt.page.entries.map(({ name }) => name));
      for (const [number, name] of names.entries()) {
        await page.click(`#list li:nth-child(${number + 1}) button`);
        same((await state(page)).chosen, name, 'the state');
        const { samples } = JSON.parse(run([animfmt, 'sample', file, '--clip', `#${number + 1}`, '--at', STATE_TIMES.join(), '--quiet'])).files[0];
        for (const { time, joints } of samples) {
          const found = await page.evaluate((seconds) => {
            const { page: own } = window.animfmt;
            own.seek(seconds);
            own.pose();
            return window.animfmt.transforms();
          }, time);
          for (const { name: joint, translation, rotation, scale } of joints) {
            const own = found[joint];
            const size = Math.max(1, ...translation.map(Math.abs));
            const sign = Math.sign(own.rotation.reduce((sum, x, i) => sum + x * rotation[i], 0));
            const error = Math.max(...translation.map((x, i) => Math.abs(x - own.translation[i]) / size), ...rotation.map((x, i) => Math.abs(x - sign * own.rotation[i])), ...scale.map((x, i) => Math.abs(x - own.scale[i])));
            holds(error < BAKED * 10, `${name} at ${time} s: ${joint} differs by ${error}`);
            worst = Math.max(worst, error);
          }
        }
      }
    }
    return `largest difference ${worst.toExponential(1)}`;
  },

  async 'a sequence is left at a key with exit, as in animfmt play'({ open, make }) {
    const page = await open(make([data('cookbook/lamp.stt'), data('cookbook/lamp.gltf')]), still);
    const click = (name) => page.evaluate((wanted) => [...document.querySelectorAll('#list button')].find((button) => button.querySelector('.name').textContent === wanted).click(), name);
    const says = async () => (await settled(page), text(page, '#machine-says'));
    const now = () => page.evaluate(() => ({ state: window.animfmt.page.first.states.states[window.animfmt.page.first.states.state].name, clock: window.animfmt.page.first.states.clock }));
    await click('evening');
    await page.evaluate(() => window.animfmt.page.advance(2));
    holds((await says()).includes('80 % of the morph to key 2 (swinging)'), await says());
    await click('swinging');
    holds((await says()).startsWith('swinging waits for key 1 (calm), in 2.00 s'), await says());
    same((await now()).state, 'evening', 'while waiting');
    await page.evaluate(() => window.animfmt.page.advance(2.5));
    same(await now(), { state: 'swinging', clock: 0.5 }, 'after the exit');
    await page.click('#leave');
    same(await now(), { state: 'evening', clock: 0 }, 'after leaving');
  },

  async 'one of several state machines is chosen, and the others stay as they are'({ open, options, animfmt }) {
    const file = (name) => join(options.out, name);
    writeFileSync(file('second.stt'), SECOND);
    run([animfmt, 'convert', data('cookbook/lamp.stt'), '--with', data('cookbook/lamp.gltf'), '-o', file('first.glb'), '--force', '--quiet']);
    const html = file('machines.html');
    run([animfmt, 'view', file('second.stt'), '--with', file('first.glb'), '-o', html, '--force', '--no-open', '--quiet']);
    const page = await open(html, still);
    const names = () => page.$$eval('#list .name', (all) => all.map(({ textContent }) => textContent));
    const click = (number) => page.click(`#list li:nth-child(${number}) button`);
    const advance = (seconds) => page.evaluate((step) => window.animfmt.page.advance(step), seconds);
    const clock = () => page.evaluate(() => window.animfmt.page.first.states.clock);
    const pressed = () => page.$$eval('#list button', (all) => all.findIndex((button) => button.getAttribute('aria-pressed') === 'true') + 1);
    const select = '#machines-row:not([hidden]) select';
    same(await page.$$eval(`${select} option`, (all) => all.map(({ textContent }) => textContent)), ['1: calm, swinging, evening', '2: up, down'], 'machines');
    same(await page.$eval(select, ({ labels }) => labels[0].textContent.startsWith('State machine')), true, 'a label');
    same(await names(), ['calm', 'swinging', 'evening'], 'states');
    await click(3);
    await advance(2);
    // With the keyboard, as in any list of choices.
    await page.focus(select);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    same(await names(), ['up', 'down'], 'states of the second');
    same([(await state(page)).chosen, (await state(page)).time, await pressed()], ['up', 0, 1], 'the second starts with its first state');
    const shade = async (seconds) => page.evaluate((time) => {
      const { page: own } = window.animfmt;
      own.seek(time);
      own.pose();
      return window.animfmt.transforms().shade.translation;
    }, seconds);
    same(await shade(0.5), [0, 14, 0], 'up');
    await click(2);
    same(await shade(0.5), [0, 10, 0], 'down');
    await advance(0.25);
    await page.select(select, '1: calm, swinging, evening');
    same([(await state(page)).chosen, await pressed()], ['evening', 3], 'the first is in its state');
    same((await state(page)).time, 2, 'the first stayed at its time');
    await settled(page);
    holds((await text(page, '#machine-says')).includes('80 % of the morph to key 2'), await text(page, '#machine-says'));
    same(await text(page, '#leave'), 'Leave for calm', 'the way back of the first');
    // Waits for the exit, by the rules of the first machine, also while the second plays.
    await click(2);
    same((await state(page)).chosen, 'evening', 'while waiting');
    await page.select(select, '2: up, down');
    await settled(page);
    same([(await state(page)).chosen, await clock(), await text(page, '#leave')], ['down', 0.75, 'Leave for up'], 'the second stayed');
    await advance(10);
    await page.select(select, '1: calm, swinging, evening');
    holds(await page.$eval('#list li:nth-child(2) button', (button) => button.classList.contains('waiting')), 'it no longer waits');
    await advance(2.5);
    same([(await state(page)).chosen, (await state(page)).time], ['swinging', 0.5], 'after the exit');
    await page.evaluate(() => window.animfmt.page.chooseNamed('down'));
    same([await names(), (await state(page)).chosen], [['up', 'down'], 'down'], 'a state of the other machine by its name');
    const alone = await open(view(animfmt, [data('cookbook/lamp.stt')], options.out), still);
    holds(await alone.$eval('#machines-row', ({ hidden }) => hidden), 'a choice of one');
  },

  async 'two files play side by side on one timeline'({ open, make, animfmt, options }) {
    const glb = join(options.out, 'side.glb');
    const amo = data('amo/ok/octopus_arm.amo');
    run([animfmt, 'convert', amo, '-o', glb, '--force']);
    const html = join(options.out, 'side.html');
    run([animfmt, 'view', amo, glb, '-o', html, '--force', '--no-open', '--quiet']);
    const page = await open(html, still);
    const both = async () => (await page.evaluate(() => [0, 1].map((file) => [...window.animfmt.vertices(file)]))).map((points) => Float64Array.from(points));
    for (const key of ['Home', 'End', '2', 'End']) {
      await page.keyboard.press(key);
      await settled(page);
      const [one, other] = await both();
      holds(farthestOfSets(one, other) < 1e-5, `different after ${key}`);
    }
    const wide = await page.$$eval('.stage canvas', (canvases) => canvases.map(({ width }) => width));
    holds(wide.length === 2 && wide[0] > 200 && Math.abs(wide[0] - wide[1]) <= 1, `widths ${wide}`);
    same(await page.$$eval('.caption', (all) => all.map(({ textContent }) => textContent)), ['octopus_arm.amo', 'side.glb'], 'captions');
  },

  async 'problems are shown with their lines, before and after repairs'({ open, make }) {
    const page = await open(make([data('cookbook/sloppy.amo')], ['--fix']), still);
    const heads = await page.$$eval('.problem-head', (all) => all.map(({ textContent }) => textContent));
    same(heads.filter((head) => head.startsWith('warning')).length, 3, 'warnings before');
    same(heads.filter((head) => head.startsWith('fixed')).length > 0, true, 'repairs');
    same(await page.$$eval('mark', ([first]) => [first.textContent, first.parentElement.textContent]), ['0.5 0 0 0', 'vw 0.5 0 0 0'], 'the source line');
  },

  async 'names of a file are text and nothing else'({ open, options, animfmt }) {
    const name = '</script><img src=x onerror=alert(1)><!--';
    const file = join(options.out, 'hostile.gltf');
    const json = JSON.parse(readFileSync(data('cookbook/robot.gltf'), 'utf8'));
    json.nodes.forEach((node, i) => (node.name = `${name}${i}`));
    json.animations.forEach((animation) => (animation.name = name));
    writeFileSync(file, JSON.stringify(json));
    const html = join(options.out, 'hostile.html');
    run([animfmt, 'view', file, '-o', html, '--force', '--no-open', '--quiet']);
    const page = await open(html, still);
    same(await page.$$eval('img', (all) => all.length), 0, 'elements');
    holds((await text(page, '#list')).includes(name), 'the name is not shown');
  },

  async 'the page reloads when the file changes, and stays where it was'({ open, animfmt }) {
    const folder = mkdtempSync(join(tmpdir(), 'animfmt-'));
    const file = join(folder, 'reed.amo');
    copyFileSync(data('cookbook/reed.amo'), file);
    const child = spawn(animfmt, ['view', file, '--watch', '--no-open']);
    try {
      let said = '';
      child.stderr.on('data', (bytes) => (said += bytes));
      child.stdout.on('data', (bytes) => (said += bytes));
      for (let i = 0; i < 100 && !said.includes('http://'); i += 1) await sleep(50);
      const page = await open(said.match(/http:\S+\//)?.[0] ?? 'about:blank', still);
      await page.evaluate(() => window.animfmt.page.seek(1.5));
      const renamed = readFileSync(file, 'utf8').replace('a sway', 'a lean');
      const loaded = page.waitForNavigation();
      writeFileSync(file, renamed);
      await loaded;
      await page.evaluate(() => window.animfmt.ready);
      holds((await text(page, '#list')).includes('lean'), await text(page, '#list'));
      const second = page.waitForNavigation();
      await page.evaluate(() => window.animfmt.page.seek(1.25));
      writeFileSync(file, `${renamed}\n`);
      await second;
      await page.evaluate(() => window.animfmt.ready);
      same((await state(page)).time, 1.25, 'the time');
    } finally {
      child.kill();
      rmSync(folder, { recursive: true });
    }
  },

  async 'memory does not grow over many changes of the clip'({ open, make }) {
    const page = await open(make([data('amo/ok/octopus_arm.amo')]), still);
    const used = () => page.evaluate(async () => {
      for (let i = 0; i < 4; i += 1) {
        window.gc();
        await new Promise((done) => setTimeout(done, 50));
      }
      return performance.memory.usedJSHeapSize;
    });
    const change = (count) => page.evaluate(async (times) => {
      const { page: own } = window.animfmt;
      for (let i = 0; i < times; i += 1) {
        own.pick(i % own.entries.length, false);
        own.seek((i % 10) / 10);
        own.drawNow(performance.now());
        if (i % 50 === 49) await new Promise(requestAnimationFrame);
      }
    }, count);
    await change(100);
    const before = await used();
    await change(CLIP_CHANGES);
    const grown = (await used()) - before;
    holds(grown < 300_000, `${grown} bytes more`);
    return `${grown} bytes more after ${CLIP_CHANGES} changes`;
  },

  async 'colours are those of the material, and of the vertices and the texture'({ open, animfmt, options }) {
    const page = async (material, more) => {
      const file = join(options.out, 'quad.gltf');
      writeFileSync(file, JSON.stringify(quad(material, more)));
      const html = join(options.out, 'quad.html');
      run([animfmt, 'view', file, '-o', html, '--force', '--no-open', '--quiet']);
      return open(html, still);
    };
    const middle = async (material, more) => (await page(material, more)).evaluate(() => {
      const { page: own } = window.animfmt;
      own.look.ground = false;
      Object.assign(own.camera, { yaw: 0, pitch: 0 });
      own.drawNow(performance.now());
      const { gl } = own.first.renderer;
      const pixel = new Uint8Array(4);
      gl.readPixels(gl.drawingBufferWidth / 2, gl.drawingBufferHeight / 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      return [...pixel.slice(0, 3)];
    });
    const near = (found, wanted, what) => holds(found.every((x, i) => Math.abs(x - wanted[i]) <= 1), `${what}: ${found} instead of ${wanted}`);
    const unlit = (color, more = {}) => ({ pbrMetallicRoughness: { baseColorFactor: color, metallicFactor: 0 }, extensions: { KHR_materials_unlit: {} }, ...more });
    const background = [0xec, 0xef, 0xf3];
    // 0.5, 0.25 and 0.1, encoded as sRGB.
    near(await middle(unlit([0.5, 0.25, 0.1, 1])), [188, 137, 89], 'unlit');
    near(await middle(unlit([0.5, 0.25, 0.1, 0.5], { alphaMode: 'BLEND' })), [188, 137, 89].map((x, i) => (x + background[i]) / 2), 'blended');
    // Half of 0.5 is 0.25, and so on.
    near(await middle(unlit([1, 0.5, 0.2, 1]), { color: [0.5, 0.5, 0.5, 1] }), [188, 137, 89], 'vertex colours');
    // A texture of one grey, 188 of 255, is 0.5 in linear light.
    near(await middle(unlit([1, 0.5, 0.2, 1]), { texture: true }), [188, 137, 89], 'textured');
    const lit = await middle({ pbrMetallicRoughness: { baseColorFactor: [0.5, 0, 0, 1], metallicFactor: 0 } });
    holds(lit[0] > 120 && lit[1] < lit[0] / 2, `lit: ${lit}`);
  },

  async 'the first picture of a model of 3 MB'({ open, animfmt, options }) {
    const file = join(options.out, 'large.glb');
    writeFileSync(file, largeGlb());
    const html = join(options.out, 'large.html');
    const started = performance.now();
    run([animfmt, 'view', file, '-o', html, '--force', '--no-open', '--quiet']);
    const written = performance.now() - started;
    const page = await open(html, still);
    const time = await page.evaluate(() => window.animfmt.firstPicture);
    return `${(statSync(file).size / 1e6).toFixed(1)} MB: written in ${written.toFixed(0)} ms, drawn ${time.toFixed(0)} ms after the page was opened`;
  },
};
