// Pages of the site in headless Chromium, used as people do: files are dropped and downloaded. Records
// messages, and everything that is requested.

import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser } from '../viewer/browser.mjs';
import { Server } from './server.mjs';

/** What Chromium asks for itself: updates, the time, accounts. */
const OF_THE_BROWSER = /^(http:\/\/)?[a-z0-9.-]+\.(google|googleapis|gvt1)\.com[:/]/;
const sleep = (time) => new Promise((done) => { setTimeout(done, time); });

export class Pages {
  /** Starts the browser. Whatever it requests from another machine goes to a proxy, and is recorded. */
  static async start(chromium, folder) {
    const outside = [];
    const record = ({ url }) => { if (!OF_THE_BROWSER.test(url)) outside.push(url); };
    const proxy = createServer((request, response) => {
      record(request);
      response.destroy();
    });
    proxy.on('connect', (request, socket) => {
      record(request);
      socket.destroy();
    });
    await new Promise((done) => { proxy.listen(0, '127.0.0.1', done); });
    const browser = await Browser.start(chromium, [`--proxy-server=127.0.0.1:${proxy.address().port}`]);
    return Object.assign(new Pages(), { folder, proxy, outside, browser: browser.browser });
  }

  async stop() {
    await this.browser.close();
    this.proxy.closeAllConnections();
    this.proxy.close();
  }

  /** Opens the site in a new profile, with its own server. */
  async open(hash = '', { width = 1280, height = 800, theme = 'light', touch = false } = {}) {
    const server = await Server.start(this.folder);
    const context = await this.browser.createBrowserContext();
    const page = await context.newPage();
    const site = new Site({ server, context, page, downloads: mkdtempSync(join(tmpdir(), 'animfmt-')) });
    site.listen();
    const control = await this.browser.target().createCDPSession();
    await control.send('Browser.setDownloadBehavior', { behavior: 'allow', browserContextId: context.id, downloadPath: site.downloads });
    await page.setViewport({ width, height, hasTouch: touch, isMobile: touch });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await page.goto(server.address + hash);
    await page.evaluate(() => window.animfmt.ready);
    return site;
  }
}

export class Site {
  constructor(parts) {
    Object.assign(this, parts, { said: [], isCut: false });
  }

  listen() {
    const { page } = this;
    page.on('console', (message) => { if (!this.isCut) this.said.push(`console: ${message.text()}`); });
    page.on('pageerror', (error) => this.said.push(`error: ${error.message ?? error}`));
    page.on('request', (request) => {
      const isOwn = ['blob:', 'data:', 'about:', this.server.address].some((start) => request.url().startsWith(start));
      if (!isOwn || request.method() !== 'GET' || request.hasPostData()) this.said.push(`request: ${request.method()} ${request.url()}`);
    });
  }

  /** Drops files or folders on the page. */
  async drop(...files) {
    const { page } = this;
    const session = await page.createCDPSession();
    const { width, height } = page.viewport();
    const data = { items: [], files, dragOperationsMask: 1 };
    const drag = (type) => session.send('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data });
    await drag('dragEnter');
    // Over a frame, the page hears of it a moment later.
    await page.waitForSelector('#cover:not([hidden])', { timeout: 5000 });
    await drag('dragOver');
    await drag('drop');
    await session.detach();
    await this.settle();
  }

  /** Waits until nothing is being done. */
  async settle(timeout = 60_000) {
    await sleep(50);
    await this.page.waitForFunction(() => {
      const { app } = window.animfmt;
      const panel = document.querySelector('.panel:not([hidden])');
      const isOpen = !app.subject || ((app.subject.opened || app.subject.error) && panel && panel.textContent !== '…');
      return isOpen && app.adding === 0 && !app.engine.isBusy;
    }, { timeout, polling: 50 });
  }

  async click(selector) {
    await this.page.click(selector);
    await this.settle();
  }

  async tab(name) {
    await this.click(`#tab-${name}`);
  }

  text(selector) {
    return this.page.$eval(selector, (element) => element.innerText);
  }

  /** The content of the frame, once it shows its model. */
  async viewer() {
    const handle = await this.page.waitForSelector('#panel-view iframe');
    const frame = await handle.contentFrame();
    await frame.waitForFunction(() => window.animfmt);
    await frame.evaluate(() => window.animfmt.ready);
    return frame;
  }

  /** What is downloaded by a click: its name and its bytes. */
  async download(handle) {
    const before = new Set(readdirSync(this.downloads));
    await handle.click();
    for (let i = 0; i < 600; i += 1) {
      const name = readdirSync(this.downloads).find((own) => !before.has(own) && !own.endsWith('.crdownload'));
      if (name) return { name, bytes: readFileSync(join(this.downloads, name)) };
      await sleep(50);
    }
    throw new Error('nothing is downloaded');
  }

  /** Ends the server, so that the page is on its own. */
  async cut() {
    this.isCut = true;
    await this.server.stop();
  }

  async close() {
    await this.context.close();
    if (!this.isCut) await this.server.stop();
    rmSync(this.downloads, { recursive: true });
  }
}
