// The list of files: which one is open, and which are used with it.

import { element } from './viewer/panel.js';
import { size } from './text.js';

/** Files that the list shows. More are only counted. */
const SHOWN = 300;

export class FileList {
  constructor(list, { onOpen, onWith }) {
    Object.assign(this, { list, onOpen, onWith });
  }

  /** `files`: as the module lists them. `used`: the paths of those used with `path`, which is open. */
  show(files, path, used) {
    const main = files.find((file) => file.path === path);
    const partners = new Set(main?.goes_with ?? []);
    const rank = (file) => [file === main, used.includes(file.path), partners.has(file.path), file.companion_of.includes(path), file.format !== null].indexOf(true) >>> 0;
    const sorted = [...files].sort((a, b) => rank(a) - rank(b));
    const rows = sorted.slice(0, SHOWN).map((file) => this.#row(file, file === main, partners.has(file.path), used));
    const rest = files.length - rows.length;
    this.list.replaceChildren(...rows, ...(rest > 0 ? [element('li', { className: 'dim' }, [`and ${rest.toLocaleString('en')} more`])] : []));
  }

  #row(file, isOpen, isPartner, used) {
    const { path, bytes, title, why, companion_of: owners } = file;
    const role = owners.length > 0 ? `used by ${owners.slice(0, 2).join(', ')}${owners.length > 2 ? ', …' : ''}` : '';
    const note = [title ?? (role ? '' : why ?? 'unsupported'), size(bytes), role].filter(Boolean).join(' · ');
    const text = [element('span', { className: 'name' }, [path]), element('span', { className: 'note' }, [note])];
    const row = title === null
      ? element('div', { className: 'file' }, text)
      : element('button', { type: 'button', className: 'file', onclick: () => this.onOpen(path) }, text);
    if (title !== null) row.setAttribute('aria-pressed', String(isOpen));
    const parts = [row];
    if (isPartner) {
      const box = element('input', { type: 'checkbox', checked: used.includes(path), onchange: () => this.onWith(path, box.checked) });
      parts.push(element('label', { className: 'with' }, [box, 'use with the open file']));
    }
    return element('li', {}, parts);
  }
}
