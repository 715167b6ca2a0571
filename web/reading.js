// The options with which files are read.

import { element, find } from './viewer/panel.js';
import { OptionControls } from './options.js';

export class Reading {
  constructor(onChange) {
    this.onChange = onChange;
    this.kept = new Map();
    this.key = null;
  }

  /** Offers the options of some formats: that of the open file first. */
  show(formats, all) {
    const key = formats.map(({ id }) => id).join(' ');
    if (key === this.key) return;
    this.#store();
    this.key = key;
    const kept = this.kept.get(key) ?? { settings: {}, from: '' };
    const options = [...new Map(formats.flatMap(({ reading }) => reading).map((option) => [option.name, option])).values()];
    this.controls = new OptionControls(options, kept.settings, this.onChange);
    const readable = all.filter(({ reads }) => reads);
    this.from = element('select', { id: 'read-as', onchange: this.onChange }, [element('option', { value: '' }, ['detect']), ...readable.map(({ id, title }) => element('option', { value: id }, [title]))]);
    this.from.value = kept.from;
    const from = element('div', { className: 'option' }, [element('label', { htmlFor: 'read-as' }, ['format']), this.from]);
    find('reading-options').replaceChildren(from, ...this.controls.list());
    find('reading').hidden = false;
  }

  #store() {
    if (this.key !== null) this.kept.set(this.key, { settings: this.controls.values, from: this.from.value });
  }

  /** For the module: what was changed. */
  get values() {
    return { settings: this.controls.values, ...(this.from.value ? { from: this.from.value } : {}) };
  }
}
