// Owns the WebAssembly module and the files given to it. Answers one message at a time.

import init, { Session, formats, version } from './animfmt.js';
import { heavy, weigh } from './weight.js';

let session = null;
let memory = null;
/** The page of `animfmt view` without a file, once it is needed. */
let template = null;

/** An error that the module reports, as opposed to one that stops it. */
class Refused extends Error {
  constructor({ error, file }) {
    super(error);
    this.file = file;
  }
}

function answer(json) {
  const value = JSON.parse(json);
  if (value.error !== undefined) throw new Refused(value);
  return value;
}

/** Returns a text file of the page. */
async function text(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name} cannot be loaded (${response.status})`);
  return response.text();
}

/** Reads files and gives them to the module, one after another, so that only one is in memory twice. */
async function add(files) {
  const unread = [];
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  let done = 0;
  for (const { path, file } of files) {
    postMessage({ progress: { path, done, total } });
    try {
      answer(session.add(path, new Uint8Array(await file.arrayBuffer())));
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      unread.push({ path, why: error.message });
    }
    done += file.size;
  }
  return [unread];
}

/** Each returns its value, and buffers that move to the page. */
const CALLS = {
  async start(limits) {
    memory = (await init({ module_or_path: new URL('animfmt_bg.wasm', import.meta.url) })).memory;
    session = new Session(JSON.stringify(limits));
    return [{ version: version(), formats: JSON.parse(formats()).formats }];
  },
  add,
  remove(paths) {
    for (const path of paths) session.remove(path);
    return [null];
  },
  files: () => [answer(session.files())],
  open: (path, options) => [answer(session.open(path, JSON.stringify(options)))],
  async view(path, options) {
    template ??= await text('viewer/page.html');
    const made = answer(session.view(path, JSON.stringify({ ...options, models: false }), template));
    const html = new TextDecoder().decode(session.html());
    const models = made.models.map((_, number) => session.model(number).buffer);
    return [{ ...made, html, models, heavy: heavy(models.map(weigh)) }, models];
  },
  repair(path, options) {
    const made = answer(session.repair(path, JSON.stringify(options)));
    const bytes = made.changed ? session.repaired().buffer : null;
    return [{ ...made, bytes }, bytes ? [bytes] : []];
  },
  convert(path, format, options) {
    const made = answer(session.convert(path, format, JSON.stringify(options)));
    const outputs = made.files.map((_, number) => session.output(number).buffer);
    return [{ ...made, outputs }, outputs];
  },
};

self.onmessage = async ({ data: { id, name, args } }) => {
  try {
    const [value, buffers = []] = await CALLS[name](...args);
    postMessage({ id, value }, buffers);
  } catch (error) {
    const refused = error instanceof Refused ? { message: error.message, file: error.file } : null;
    postMessage({ id, refused, stopped: refused ? null : { message: String(error.message ?? error), memory: memory?.buffer.byteLength ?? 0 } });
  }
};
