// What is there before a file is open: samples, formats, the version; and dark or light.

import { element, find } from './viewer/panel.js';
import { SAMPLES } from './samples.js';

const DARK = matchMedia('(prefers-color-scheme: dark)');

export class About {
  constructor(onTheme, onSample) {
    this.onTheme = onTheme;
    find('theme').addEventListener('click', () => {
      this.setTheme(this.theme === 'dark' ? 'light' : 'dark');
      onTheme(this.theme);
    });
    DARK.addEventListener('change', ({ matches }) => {
      this.setTheme(matches ? 'dark' : 'light');
      onTheme(this.theme);
    });
    find('about-button').addEventListener('click', () => find('about').showModal());
    find('samples').replaceChildren(...SAMPLES.map(({ name, title, text }) => element('li', {}, [
      element('button', { type: 'button', onclick: () => onSample(name) }, [element('span', { className: 'name' }, [title]), element('span', { className: 'note' }, [text])]),
    ])));
  }

  get theme() {
    return document.documentElement.dataset.theme;
  }

  setTheme(theme) {
    document.documentElement.dataset.theme = theme;
  }

  show(version, formats, limits) {
    find('version').textContent = `animfmt ${version}`;
    find('limit-bytes').textContent = `${limits.input_bytes / 2 ** 20} MiB`;
    find('limit-memory').textContent = `${limits.memory / 2 ** 30} GiB`;
    const names = (extensions) => extensions.map((name) => `.${name.replace(/^\./, '')}`).join(' ');
    const cell = (text) => element('td', {}, [text]);
    const rows = formats.map(({ title, reads, writes, extensions, writes_extensions: written }) => element('tr', {}, [
      element('th', { scope: 'row' }, [title]), cell(reads ? names(extensions) : '–'), cell(writes ? names(written) : '–'),
    ]));
    const head = element('tr', {}, ['Format', 'Read', 'Written'].map((text) => element('th', { scope: 'col' }, [text])));
    find('formats').replaceChildren(element('thead', {}, [head]), element('tbody', {}, rows));
  }
}
