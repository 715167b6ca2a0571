// How the page is used: the address, keyboard, touch, without a network, and what it looks like.

import { join } from 'node:path';
import { ROOT } from '../consumers/tools.mjs';
import { holds, same } from '../viewer/expect.mjs';
import { contrast, names, overflow, targets } from './looks.mjs';

const data = (path) => join(ROOT, 'testdata', path);
const chosen = (site) => site.page.$eval('[role=tab][aria-selected=true]', (tab) => tab.id.slice('tab-'.length));
const hash = (site) => site.page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
const TABS = ['view', 'problems', 'repair', 'convert', 'facts'];

export const TESTS = {
  async 'the address has the sample, the tab, the clip and the format'({ open }) {
    const site = await open('#sample=sloppy&tab=convert&to=bvh');
    await site.settle();
    same([await chosen(site), await site.page.$eval('#target', (select) => select.value)], ['convert', 'bvh'], 'from the address');
    await site.page.select('#target', 'x3d');
    await site.tab('problems');
    same(await hash(site), { sample: 'sloppy', file: 'sloppy.amo', tab: 'problems', to: 'x3d' }, 'address');
    await site.page.goBack();
    await site.settle();
    same([await chosen(site), await site.page.$eval('#target', (select) => select.value)], ['convert', 'x3d'], 'back');
    await site.click('#home');
    same(await hash(site), {}, 'address of the start');
    holds(await site.page.$eval('#welcome', (welcome) => !welcome.hidden), 'the start is not shown');
    await site.page.goBack();
    await site.settle();
    same(await site.page.evaluate(() => window.animfmt.app.subject?.path), 'sloppy.amo', 'back from the start');
  },

  async 'the clip is in the address'({ open }) {
    const site = await open('#sample=lamp&clip=swinging');
    await site.settle();
    const viewer = await site.viewer();
    const name = () => viewer.evaluate(() => { const { page } = window.animfmt; return page.entries[page.chosen]?.name; });
    same(await name(), 'swinging', 'clip');
    await viewer.click('#list button');
    await site.page.waitForFunction(() => location.hash.includes('clip=calm'));
  },

  async 'every sample opens, and is played or says what is missing'({ open }) {
    const site = await open();
    const count = await site.page.$$eval('#samples button', (buttons) => buttons.length);
    const said = [];
    for (let i = 0; i < count; i += 1) {
      await site.click(`#samples li:nth-child(${i + 1}) button`);
      await site.tab('view');
      said.push(await site.page.evaluate(() => window.animfmt.app.subject.path));
      holds(await site.page.$('#panel-view iframe'), `${said.at(-1)}: ${await site.text('#panel-view')}`);
      await site.viewer();
      await site.click('#clear');
    }
    return said.join(', ');
  },

  async 'the page works with the keyboard alone'({ open }) {
    const site = await open();
    const { keyboard } = site.page;
    const focused = () => site.page.evaluate(() => document.activeElement.ariaLabel || document.activeElement.innerText?.split('\n')[0]);
    const order = [];
    for (let i = 0; i < 6; i += 1) {
      await keyboard.press('Tab');
      order.push(await focused());
    }
    same(order, ['animfmt', 'Dark or light', 'About this page', 'Choose files…', 'Choose a folder…', 'Reed'], 'order of the focus');
    await keyboard.press('Enter');
    await site.settle();
    await site.page.focus('#tab-view');
    await keyboard.press('ArrowRight');
    await site.settle();
    same([await chosen(site), await focused()], ['problems', 'Problems'], 'right');
    await keyboard.press('End');
    same(await chosen(site), 'facts', 'End');
    await keyboard.press('ArrowLeft');
    await site.settle();
    await keyboard.press('Tab');
    same(await site.page.evaluate(() => document.activeElement.id), 'panel-convert', 'after the tabs');
    for (let i = 0; i < 3 && await focused() !== 'Convert'; i += 1) await keyboard.press('Tab');
    await keyboard.press('Enter');
    await site.settle();
    holds((await site.text('#converted')).includes('reed.glb'), 'nothing is converted');
    const before = await site.page.evaluate(() => document.querySelectorAll(':focus').length);
    same(before, 1, 'the focus is kept');
    await site.page.focus('#about-button');
    await keyboard.press('Enter');
    holds(await site.page.$eval('#about', (dialog) => dialog.open), 'Enter does not open the dialog');
    await keyboard.press('Escape');
    same(await site.page.evaluate(() => document.activeElement.id), 'about-button', 'after Escape');
  },

  async 'without a network, everything works'({ open, animfmt }) {
    const site = await open();
    await site.page.waitForFunction(() => document.querySelector('#offline').textContent.includes('offline'));
    await site.cut();
    await site.page.reload();
    await site.page.evaluate(() => window.animfmt.ready);
    await site.drop(data('cookbook/reed.amo'));
    await site.viewer();
    await site.tab('convert');
    await site.click('#conversion .primary');
    holds((await site.text('#converted')).includes('reed.glb'), 'nothing is converted');
    await site.page.goto(`${site.page.url().split('#')[0]}#sample=rabbit`);
    await site.page.waitForFunction(() => window.animfmt.app.subject?.path === 'WALK.ANM');
    await site.settle();
    holds(Boolean(animfmt), 'the program');
  },

  async 'text has enough contrast, fits, and everything has a name and a size for fingers'({ open, options }) {
    let texts = 0;
    for (const theme of ['light', 'dark']) {
      for (const [width, height, touch] of [[1280, 800, false], [360, 740, true]]) {
        const site = await open('', { theme, width, height, touch });
        const check = async (what) => {
          if (options.pictures) await site.page.screenshot({ path: join(options.out, `${what}-${theme}-${width}.png`) });
          const low = await contrast(site.page);
          texts += low.count;
          same(low.problems, [], `${what}, ${theme}, ${width}: contrast`);
          same(await overflow(site.page), [], `${what}, ${theme}, ${width}: too wide`);
          same(await names(site.page), [], `${what}, ${theme}, ${width}: without a name`);
          if (touch) same(await targets(site.page), [], `${what}, ${theme}, ${width}: too small`);
        };
        await check('start');
        await site.drop(data('cookbook/sloppy.amo'), data('cookbook/cuts.anm'));
        for (const tab of TABS) {
          await site.tab(tab);
          if (tab === 'view') await site.viewer();
          if (tab === 'convert') await site.click('#conversion .primary');
          await check(tab);
        }
        same(await site.page.$eval('html', (html) => html.dataset.theme), theme, 'theme');
        await site.close();
        site.close = async () => {};
      }
    }
    return `${texts} texts`;
  },

  async 'nothing moves while the page loads'({ open }) {
    const site = await open('#sample=reed');
    await site.settle();
    const shift = await site.page.evaluate(() => new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries().reduce((sum, { value }) => sum + value, 0))).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done(0), 500);
    }));
    holds(shift < 0.1, `the layout shifts by ${shift}`);
    return `layout shift ${shift.toFixed(3)}`;
  },
};
