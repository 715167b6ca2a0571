// What the page knows: the files, the one that is open, and what the address says.

import * as address from './address.js';
import { About } from './about.js';
import { Busy } from './busy.js';
import { Convert } from './convert.js';
import { Doors } from './doors.js';
import { Cancelled, Engine, LIMITS, Refused } from './engine.js';
import { FileList } from './files.js';
import { Reading } from './reading.js';
import { Facts, Problems } from './problems.js';
import { Repair } from './repair.js';
import { SAMPLES, fetchSample } from './samples.js';
import { Tabs } from './tabs.js';
import { count, fileName, size } from './text.js';
import { View } from './view.js';
import { find } from './viewer/panel.js';

const SMALL = matchMedia('(max-width: 720px)');

export class App {
  constructor() {
    this.address = address.read();
    this.busy = new Busy(() => this.engine.cancel());
    this.engine = new Engine((work, progress) => this.busy.show(work, progress));
    this.engine.onUnread = (files) => this.say(files.map(({ path, why }) => `${path}: ${why}`).join('\n'));
    this.about = new About((theme) => this.view.setTheme(theme), (sample) => this.#go({ sample }));
    this.doors = new Doors((gather) => this.take(gather));
    this.list = new FileList(find('files'), {
      onOpen: (path) => this.open(path),
      onWith: (path, isUsed) => this.#use(path, isUsed),
    });
    this.reading = new Reading(() => this.open(this.subject.path, this.subject.options.with));
    this.view = new View(this.engine, {
      theme: () => this.about.theme,
      clip: () => this.address.clip ?? null,
      onClip: (clip) => this.#keep({ clip }),
      onTheme: (theme) => this.about.setTheme(theme),
      onDrag: () => this.doors.cover(),
      onDrop: (files) => {
        this.doors.uncover();
        this.take(() => files.map((file) => ({ path: file.name, file })));
      },
      onAlone: () => this.#compare(false),
    });
    this.panels = [
      this.view,
      new Problems(() => this.#go({ tab: 'repair' })),
      new Repair(this.engine, { onCompare: () => this.#compare(true), onUse: (path, file) => this.take(() => [{ path, file }]) }),
      new Convert(this.engine, this.address, { onTarget: (to) => this.#keep({ to }), onSay: (text) => this.say(text) }),
      new Facts(),
    ];
    this.tabs = new Tabs(find('tabs'), find('panels'), this.panels, (tab) => this.#go({ tab }));
    this.listing = { files: [] };
    this.subject = null;
    this.adding = 0;
    find('welcome').hidden = Boolean(this.address.sample);
    find('clear').addEventListener('click', () => this.#leave());
    find('home').addEventListener('click', (event) => {
      event.preventDefault();
      this.#leave();
    });
    window.addEventListener('popstate', () => this.#restore());
  }

  async start() {
    const { version, formats } = await this.engine.call('Loading the program', 'start');
    this.formats = formats;
    this.about.show(version, formats, LIMITS);
    this.sample = null;
    await this.#restore();
  }

  say(text) {
    find('notice').textContent = text;
  }

  /** Brings the page to what the address says. */
  async #restore() {
    const before = this.address;
    this.address = address.read();
    for (const panel of this.panels) panel.address = this.address;
    const { sample, file, clip } = this.address;
    if (sample && sample !== this.sample) {
      await this.#openSample(sample, file);
    } else if (!sample && this.sample) {
      this.#empty();
    } else if (this.subject) {
      if (file && file !== this.subject.path && this.listing.files.some(({ path }) => path === file)) await this.open(file);
      else if (clip && clip !== before.clip) this.view.setClip(clip);
      this.#showTab();
    } else {
      this.#showPage();
    }
  }

  async #openSample(name, file) {
    const sample = SAMPLES.find((own) => own.name === name);
    if (!sample) {
      this.say(`There is no sample “${name}”.`);
      this.#empty();
      return;
    }
    this.#forget();
    this.sample = name;
    await this.#add(() => fetchSample(sample), file ?? sample.file);
  }

  /** Opens files that somebody dropped or chose. `gather` returns them. */
  async take(gather) {
    if (this.sample) {
      this.sample = null;
      this.#keep({ sample: undefined, file: undefined, clip: undefined });
    }
    await this.#add(gather, null);
  }

  async #add(gather, wanted) {
    this.adding += 1;
    try {
      await this.#addAll(gather, wanted);
    } finally {
      this.adding -= 1;
    }
  }

  async #addAll(gather, wanted) {
    let files = [];
    try {
      files = await gather();
      if (files.length === 0) return;
      this.#limit(files);
      const before = new Set(this.engine.files.keys());
      for (const { path, file } of files) this.engine.files.set(path, file);
      try {
        this.listing = await this.engine.call(count(files.length, 'file'), 'files');
      } catch (error) {
        for (const { path } of files.filter((own) => !before.has(own.path))) this.engine.files.delete(path);
        throw error;
      }
    } catch (error) {
      this.say(error instanceof Cancelled ? 'Cancelled.' : `These files cannot be read: ${error.message}`);
      this.#showPage();
      return;
    }
    const path = this.#choose(files.map((own) => own.path), wanted);
    if (path) await this.open(path);
    else this.#showNone(files);
  }

  #limit(files) {
    const paths = new Set(files.map(({ path }) => path));
    const kept = [...this.engine.files].filter(([path]) => !paths.has(path)).map(([, file]) => ({ file }));
    const total = [...kept, ...files].reduce((sum, { file }) => sum + file.size, 0);
    if (total > LIMITS.input_bytes) throw new Error(`${size(total)} together, and the limit is ${size(LIMITS.input_bytes)}`);
  }

  /** Which file to open when some were added: the open one, if they belong to it. */
  #choose(added, wanted) {
    const { files, main } = this.listing;
    const known = (path) => files.some((file) => file.path === path && file.format);
    if (wanted && known(wanted)) return wanted;
    const open = this.subject?.path;
    // A model that is dropped later than a better one is there for itself.
    const [partner] = files.find(({ path }) => path === open)?.goes_with ?? [];
    const belongs = ({ path, companion_of: owners, format }) => !format || path === open || path === partner || owners.length > 0;
    const others = files.filter((file) => added.includes(file.path) && !belongs(file)).map(({ path }) => path);
    if (open && known(open) && others.length === 0) return open;
    if (main && (!open || others.includes(main))) return main;
    return others[0] ?? main;
  }

  #showNone(files) {
    const [{ path, file }] = files;
    const why = this.listing.files.find((own) => own.path === path)?.why ?? 'unsupported format';
    this.subject = { path, bytes: file.size, options: { with: [] }, opened: null, error: new Refused(why) };
    this.#showSubject();
  }

  /** Opens a file. `used`: the paths of those to use with it. */
  async open(path, used = null) {
    const { files, main } = this.listing;
    const file = files.find((own) => own.path === path);
    const others = used ?? (path === main ? this.listing.with : file.goes_with.slice(0, 1));
    const formats = [file, ...files.filter((own) => others.includes(own.path))].map(({ format }) => this.formats.find(({ id }) => id === format));
    this.reading.show(formats.filter(Boolean), this.formats);
    const options = { with: others, ...this.reading.values };
    const subject = { path, bytes: file.bytes, options, formats: this.formats, fix: false, opened: null, error: null, again: () => this.open(path, others) };
    const isOther = this.subject && this.subject.path !== path;
    this.subject = subject;
    this.#keep({ file: this.sample ? path : undefined, ...(isOther ? { clip: undefined } : {}) });
    this.list.show(files, path, others);
    try {
      subject.opened = await this.engine.call(`Checking ${path}`, 'open', path, options);
    } catch (error) {
      subject.error = error;
    }
    if (this.subject === subject) this.#showSubject();
  }

  #use(path, isUsed) {
    const { options, path: open } = this.subject;
    const others = options.with.filter((own) => own !== path);
    this.open(open, isUsed ? [...others, path] : others);
  }

  #showSubject() {
    const { path, opened, options } = this.subject;
    this.list.show(this.listing.files, path, options.with);
    find('files-title').textContent = this.listing.files.length === 1 ? fileName(path) : `${fileName(path)} · ${count(this.listing.files.length, 'file')}`;
    if (SMALL.matches) find('files-box').open = false;
    const { errors, warnings } = opened?.totals ?? { errors: 0, warnings: 0 };
    this.tabs.mark('problems', errors + warnings > 0 ? String(errors + warnings) : '', errors > 0 ? 'error' : 'warning');
    document.title = `${fileName(path)} – animfmt`;
    this.say(opened ? `${opened.name}: ${opened.summary}. ${opened.totals_text}` : '');
    this.#showPage();
    this.#showTab();
  }

  /** The tab in the address, or the problems if there are errors. */
  get tab() {
    const { tab } = this.address;
    if (this.panels.some(({ id }) => id === tab)) return tab;
    return this.subject?.opened?.totals.errors > 0 ? 'problems' : 'view';
  }

  #showTab() {
    const { tab, subject } = this;
    this.tabs.choose(tab);
    return this.panels.find(({ id }) => id === tab).show(subject);
  }

  #compare(fix) {
    this.subject.fix = fix;
    this.view.forget();
    this.#go({ tab: 'view' });
  }

  #showPage() {
    find('welcome').hidden = this.subject !== null;
    find('workspace').hidden = this.subject === null;
  }

  #forget() {
    this.engine.files.clear();
    this.listing = { files: [] };
    this.subject = null;
    this.sample = null;
    this.view.close();
  }

  #empty() {
    this.#forget();
    document.title = 'animfmt';
    this.say('');
    this.#showPage();
  }

  #leave() {
    this.engine.cancel();
    this.#empty();
    this.#change({ sample: undefined, file: undefined, tab: undefined, clip: undefined, to: undefined });
    address.write(this.address, { isNew: true });
  }

  #change(values) {
    Object.assign(this.address, values);
  }

  /** Changes the address without a new entry of the history. */
  #keep(values) {
    this.#change(values);
    address.write(this.address);
  }

  /** Goes to another sample or tab, so that Back returns. */
  #go(values) {
    const { sample } = values;
    this.#change(sample ? { sample, file: undefined, tab: undefined, clip: undefined } : values);
    address.write(this.address, { isNew: true });
    if (sample) this.#openSample(sample);
    else this.#showTab();
  }
}
