// Headless Chromium with one page, whose messages and requests are recorded.

import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

const FLAGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--enable-precise-memory-info', '--js-flags=--expose-gc'];

export class Browser {
  static async start(executablePath, flags = []) {
    return new Browser(await puppeteer.launch({ executablePath, headless: true, args: [...FLAGS, ...flags] }));
  }

  constructor(browser) {
    this.browser = browser;
  }

  /**
   * Opens a page of `animfmt view`, a file or an address, and waits until it shows its files. `said`
   * collects messages of the console, errors, and requests that leave the page.
   */
  async open(place, { width = 900, height = 600, theme = 'light', motion = 'no-preference', touch = false } = {}) {
    const page = await this.browser.newPage();
    const said = [];
    page.on('console', (message) => said.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => said.push(`error: ${error.message ?? error}`));
    const url = place.startsWith('http:') ? place : pathToFileURL(place).href;
    page.on('request', (request) => {
      const to = request.url();
      // Each version of a watched page has its own path, such as `3/`.
      const isVersion = to.startsWith(url) && /^\d+\/(events)?$/.test(to.slice(url.length));
      const isOwn = to === url || isVersion || to.startsWith('data:') || to.startsWith('blob:');
      if (!isOwn) said.push(`request: ${to}`);
    });
    await page.setViewport({ width, height, hasTouch: touch, isMobile: touch });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }, { name: 'prefers-reduced-motion', value: motion }]);
    await page.goto(url);
    await page.evaluate(() => window.animfmt.ready);
    return { page, said };
  }

  close() {
    return this.browser.close();
  }
}
