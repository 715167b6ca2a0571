// Plays X3D files in X_ITE, an X3D browser, in headless Chromium. Its scene graph is read back while
// it plays.

import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { HERE } from './tools.mjs';

const X_ITE = join(HERE, '../node_modules/x_ite/dist');
const TYPES = { '.js': 'text/javascript', '.x3d': 'model/x3d+xml', '.x3dv': 'model/x3d+vrml' };
const PAGE = `<!DOCTYPE html><style>body { margin: 0 } x3d-canvas { width: 512px; height: 512px }</style>
<x3d-canvas></x3d-canvas><script src="/x_ite/x_ite.min.js"></script>`;

/** Serves the page, the program and the files below a folder. */
async function serve(folder) {
  const server = createServer(({ url }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    if (path === '/favicon.ico') return response.writeHead(204).end();
    if (path === '/') return response.setHeader('Content-Type', 'text/html').end(PAGE);
    const file = path.startsWith('/x_ite/') ? join(X_ITE, path.slice('/x_ite'.length)) : join(folder, path);
    const type = TYPES[extname(path)];
    if (type) response.setHeader('Content-Type', type);
    createReadStream(file).on('error', () => response.writeHead(404).end()).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

/** Starts the browser. Files are below `folder`. Close it at the end. */
export async function start(folder, chromium) {
  const server = await serve(folder);
  const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
  const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args });
  const page = await browser.newPage();
  const said = [];
  page.on('console', (message) => {
    if (['warn', 'error'].includes(message.type())) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(String(error)));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.addScriptTag({ content: `${read}; window.readScene = ${read.name};` });
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { page, said, close };
}

/** Loads a file and returns its TimeSensors with their original names, and the browser's warnings. */
export async function load({ page, said }, file) {
  said.length = 0;
  const sensors = await page.evaluate(async (url) => {
    const { browser } = document.querySelector('x3d-canvas');
    await browser.loadURL(new X3D.MFString(url));
    const isSensor = (node) => node?.getNodeTypeName() === 'TimeSensor';
    return [...browser.currentScene.rootNodes].filter(isSensor).map((node) => {
      const sensor = node.getNodeName();
      return { sensor, title: node.metadata?.value[0] ?? sensor };
    });
  }, `/${encodeURIComponent(file)}`);
  return { sensors, said: [...said] };
}

/** Starts one TimeSensor, which loops, and stops all others. */
export function play({ page }, sensor) {
  return page.evaluate((name) => {
    const { browser } = document.querySelector('x3d-canvas');
    for (const node of browser.currentScene.rootNodes) {
      if (node?.getNodeTypeName() !== 'TimeSensor') continue;
      node.enabled = false;
      node.loop = false;
    }
    return new Promise((done) => {
      setTimeout(() => {
        const node = browser.currentScene.getNamedNode(name);
        Object.assign(node, { loop: true, enabled: true, pauseTime: 0, resumeTime: 0 });
        node.startTime = Date.now() / 1000;
        done();
      }, 100);
    });
  }, sensor);
}

/**
 * Lets a TimeSensor run for a while and pauses it. Returns the time in its cycle and the corners of
 * what is drawn. Without a sensor, returns the scene as it is.
 */
export function pauseAfter({ page }, sensor, milliseconds) {
  return page.evaluate(async (name, wait) => {
    const { browser } = document.querySelector('x3d-canvas');
    const sleep = (time) => new Promise((done) => setTimeout(done, time));
    const node = name === null ? null : browser.currentScene.getNamedNode(name);
    if (node?.isPaused) node.resumeTime = Date.now() / 1000;
    await sleep(wait);
    if (node) {
      node.pauseTime = Date.now() / 1000;
      while (!node.isPaused) await sleep(10);
      await sleep(100);
    }
    const seconds = node ? node.fraction_changed * node.cycleInterval : 0;
    return { seconds, points: readScene(browser.currentScene) };
  }, sensor, milliseconds);
}

/** Saves a picture of what is shown now. */
export async function picture({ page }, file) {
  await page.screenshot({ path: file, clip: { x: 0, y: 0, width: 512, height: 512 } });
}

/** Runs in the page: returns x, y and z of all corners that are drawn, from the fields of the nodes. */
function read(scene) {
  const out = [];
  const times = (a, b) => a.map((_, i) => [0, 1, 2, 3].reduce((sum, k) => sum + a[(i >> 2) * 4 + k] * b[k * 4 + (i & 3)], 0));
  const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const moved = ({ x, y, z }, sign = 1) => [1, 0, 0, sign * x, 0, 1, 0, sign * y, 0, 0, 1, sign * z, 0, 0, 0, 1];
  const scaled = ({ x, y, z }) => [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1];
  const turned = ({ x, y, z, angle }, sign = 1) => {
    const length = Math.hypot(x, y, z);
    if (length === 0) return IDENTITY;
    const [a, b, c] = [x / length, y / length, z / length];
    const [s, k] = [Math.sin(sign * angle), Math.cos(sign * angle)];
    const t = 1 - k;
    return [t * a * a + k, t * a * b - s * c, t * a * c + s * b, 0, t * a * b + s * c, t * b * b + k, t * b * c - s * a, 0, t * a * c - s * b, t * b * c + s * a, t * c * c + k, 0, 0, 0, 0, 1];
  };
  const local = (node) =>
    [moved(node.translation), moved(node.center), turned(node.rotation), turned(node.scaleOrientation), scaled(node.scale), turned(node.scaleOrientation, -1), moved(node.center, -1)].reduce(times);
  const apply = (m, { x, y, z }) => [0, 4, 8].map((i) => m[i] * x + m[i + 1] * y + m[i + 2] * z + m[i + 3]);

  const draw = ({ geometry }, matrix, points) => {
    const kind = geometry.getNodeTypeName();
    const all = points ?? [...geometry.coord.point].map((point) => apply(matrix, point));
    const triangles = [...(geometry.index ?? geometry.coordIndex ?? all.keys())].filter((i) => i >= 0);
    if (kind === 'IndexedTriangleSet') triangles.length -= triangles.length % 3;
    for (const i of triangles) out.push(...all[i]);
  };
  const humanoid = (node, matrix) => {
    const own = times(matrix, local(node));
    const points = [...(node.skinCoord?.point ?? [])];
    const sums = points.map(() => [0, 0, 0]);
    const joint = (it, above) => {
      if (it.getNodeTypeName() !== 'HAnimJoint') return walk(it, above);
      const world = times(above, local(it));
      const weights = [...it.skinCoordWeight];
      [...it.skinCoordIndex].forEach((index, i) => {
        apply(world, points[index]).forEach((x, axis) => (sums[index][axis] += weights[i] * x));
      });
      for (const child of it.children) joint(child, world);
    };
    for (const root of node.skeleton) joint(root, own);
    for (const shape of node.skin) draw(shape, own, sums);
  };
  const walk = (node, matrix) => {
    switch (node?.getNodeTypeName()) {
      case 'Transform': {
        const own = times(matrix, local(node));
        return [...node.children].forEach((child) => walk(child, own));
      }
      case 'Group': return [...node.children].forEach((child) => walk(child, matrix));
      case 'Switch': return node.whichChoice >= 0 && walk(node.children[node.whichChoice], matrix);
      case 'HAnimHumanoid': return humanoid(node, matrix);
      case 'Shape': return draw(node, matrix);
      default: return undefined;
    }
  };
  for (const node of scene.rootNodes) walk(node, IDENTITY);
  return out;
}
