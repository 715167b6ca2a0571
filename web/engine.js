// The worker, as the page sees it: calls that return promises, one at a time. A worker that stops, or
// is cancelled, is replaced by a new one, which gets the files again.

/** The limits of the module, in bytes. */
export const LIMITS = { input_bytes: 512 * 2 ** 20, memory: 2 ** 30 };
/** A WebAssembly memory of this size was probably full. Its limit is 4 GiB. */
const FULL = 3.5 * 2 ** 30;

/** The module refused: the file is bad, or exceeds a limit. */
export class Refused extends Error {}
/** The module stopped: memory ran out, or it has a bug. */
export class Stopped extends Error {}
/** Somebody pressed Cancel. */
export class Cancelled extends Error {}

export class Engine {
  /** `onWork`: called with what is being done, `null` when it is done, and with progress. */
  constructor(onWork) {
    this.onWork = onWork;
    this.files = new Map();
    this.sent = new Map();
    this.waiting = new Map();
    this.last = Promise.resolve();
    this.round = 0;
    this.calls = 0;
    this.next = 0;
  }

  /** The result of a call, after those before it. `work` says what it does. */
  call(work, name, ...args) {
    const { round } = this;
    this.calls += 1;
    const turn = this.last.then(async () => {
      if (round !== this.round) throw new Cancelled();
      this.onWork(work);
      try {
        await this.#start();
        if (name !== 'start') await this.#send();
        this.onWork(work);
        return name === 'start' ? this.about : await this.#ask(name, args);
      } finally {
        if (round === this.round) this.onWork(null);
      }
    });
    this.last = turn.catch(() => {}).then(() => {
      this.calls -= 1;
    });
    return turn;
  }

  get isBusy() {
    return this.calls > 0;
  }

  /** Ends all calls. */
  cancel() {
    this.round += 1;
    this.#end(new Cancelled());
    this.onWork(null);
  }

  async #start() {
    if (this.worker) return;
    this.worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    this.worker.onmessage = ({ data }) => this.#take(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.#end(new Stopped(event.message || 'the program cannot be loaded'));
    };
    this.about = await this.#ask('start', [LIMITS]);
  }

  /** Gives the worker the files that it does not have. Files that cannot be read are dropped. */
  async #send() {
    const gone = [...this.sent.keys()].filter((path) => !this.files.has(path));
    if (gone.length > 0) await this.#ask('remove', [gone]);
    for (const path of gone) this.sent.delete(path);
    const added = [...this.files].filter(([path, file]) => this.sent.get(path) !== file).map(([path, file]) => ({ path, file }));
    if (added.length === 0) return;
    for (const { path, file } of added) this.sent.set(path, file);
    try {
      const unread = await this.#ask('add', [added]);
      for (const { path } of unread) this.#forget(path);
      if (unread.length > 0) this.onUnread?.(unread);
    } catch (error) {
      // What stopped one worker would stop the next one, too.
      for (const { path } of added) this.#forget(path);
      throw error;
    }
  }

  #forget(path) {
    this.files.delete(path);
    this.sent.delete(path);
  }

  #ask(name, args) {
    const id = this.next;
    this.next += 1;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, name, args });
    });
  }

  #take({ id, value, refused, stopped, progress }) {
    if (progress) {
      this.onWork(`Reading ${progress.path}`, progress);
      return;
    }
    if (stopped) {
      this.#end(new Stopped(stopped.memory > FULL || /memory/i.test(stopped.message) ? 'not enough memory' : `an internal error (${stopped.message})`));
      return;
    }
    const call = this.waiting.get(id);
    this.waiting.delete(id);
    if (refused) call?.reject(Object.assign(new Refused(refused.message), { file: refused.file }));
    else call?.resolve(value);
  }

  #end(error) {
    this.worker?.terminate();
    this.worker = null;
    this.sent.clear();
    const calls = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of calls) reject(error);
  }
}
