// The tab that converts a file, with what the conversion loses.

import { problemList } from './viewer/diagnostics.js';
import { element } from './viewer/panel.js';
import { OptionControls } from './options.js';
import { Panel, failure, heading, paragraph, save } from './panels.js';
import { count, size } from './text.js';

export class Convert extends Panel {
  /** `address`: what is kept in the URL; `onTarget`: called with a format that is chosen; `onSay`: with what was done. */
  constructor(engine, address, { onTarget, onSay }) {
    super('convert', 'Convert');
    Object.assign(this, { engine, address, onTarget, onSay });
  }

  async make(subject) {
    const { opened, formats } = subject;
    if (opened.writable.length === 0) return [paragraph('This file cannot be converted.', 'large')];
    const title = (id) => {
      const format = formats.find((own) => own.id === id);
      const names = (format?.writes_extensions ?? []).map((own) => `.${own.replace(/^\./, '')}`).join(', ');
      return `${format?.title ?? id}${names ? ` (${names})` : ''}`;
    };
    this.select = element('select', { id: 'target' }, opened.writable.map((id) => element('option', { value: id }, [title(id)])));
    this.select.value = opened.writable.includes(this.address.to) ? this.address.to : opened.writable[0];
    this.select.addEventListener('change', () => {
      this.onTarget(this.select.value);
      this.#offer(subject);
    });
    this.clip = opened.clips.length > 1 && new Set(opened.clips).size === opened.clips.length
      ? element('select', { id: 'only-clip' }, [element('option', { value: '' }, ['all']), ...opened.clips.map((name) => element('option', { value: name }, [name]))])
      : null;
    this.offered = element('div');
    this.results = element('div', { id: 'converted' });
    const form = element('form', { id: 'conversion', onsubmit: (event) => {
      event.preventDefault();
      this.#convert(subject);
    } }, [
      element('p', { className: 'row' }, [
        element('label', {}, ['Format ', this.select]),
        ...(this.clip ? [element('label', {}, ['Clips ', this.clip])] : []),
        element('button', { className: 'primary' }, ['Convert']),
      ]),
      this.offered,
    ]);
    this.#offer(subject);
    return [form, this.results];
  }

  #offer({ formats }) {
    const options = formats.find(({ id }) => id === this.select.value)?.writing ?? [];
    this.options = new OptionControls(options);
    const rest = this.options.list(({ often }) => !often);
    this.offered.replaceChildren(
      element('div', { className: 'options' }, this.options.list(({ often }) => often)),
      ...(rest.length > 0 ? [element('details', {}, [element('summary', {}, ['More options']), element('div', { className: 'options' }, rest)])] : []),
    );
    this.results.replaceChildren();
  }

  async #convert(subject) {
    const { path, options } = subject;
    const format = this.select.value;
    const asked = { ...options, settings: { ...options.settings, ...this.options.values }, ...(this.clip?.value ? { clip: this.clip.value } : {}) };
    this.results.replaceChildren();
    try {
      const made = await this.engine.call(`Converting ${path}`, 'convert', path, format, asked);
      if (this.shown !== subject) return;
      this.results.replaceChildren(...resultsOf(made));
      this.onSay(`Converted to ${made.files.map(({ name }) => name).join(', ')}. ${made.totals_text}`);
    } catch (error) {
      this.results.replaceChildren(failure(error, path, () => this.#convert(subject)));
    }
  }
}

function resultsOf({ files, outputs, losses, diagnostics, more }) {
  const rows = files.map(({ name, bytes }, number) => element('li', {}, [
    element('span', { className: 'name' }, [name]),
    element('span', { className: 'note' }, [size(bytes)]),
    element('button', { type: 'button', className: 'primary', ariaLabel: `Download ${name}`, onclick: () => save(name, outputs[number]) }, ['Download']),
  ]));
  const all = files.length > 1 && window.showDirectoryPicker
    ? [element('p', {}, [element('button', { type: 'button', onclick: () => saveAll(files, outputs) }, ['Save all in a folder…'])])]
    : [];
  const others = diagnostics.filter(({ severity }) => severity !== 'loss');
  return [
    heading(count(files.length, 'file')), element('ul', { className: 'outputs' }, rows), ...all,
    heading('Losses'),
    ...(losses.length > 0 ? [problemList({ diagnostics: losses, more: [] })] : [paragraph('Nothing is lost.')]),
    ...(others.length > 0 || more.length > 0 ? [heading('Problems'), problemList({ diagnostics: others, more })] : []),
  ];
}

/** Writes all files to a folder that is chosen. */
async function saveAll(files, outputs) {
  const folder = await window.showDirectoryPicker({ mode: 'readwrite' }).catch(() => null);
  if (!folder) return;
  for (const [number, { name }] of files.entries()) {
    const parts = name.split('/');
    let place = folder;
    for (const part of parts.slice(0, -1)) place = await place.getDirectoryHandle(part, { create: true });
    const file = await (await place.getFileHandle(parts.at(-1), { create: true })).createWritable();
    await file.write(outputs[number]);
    await file.close();
  }
}
