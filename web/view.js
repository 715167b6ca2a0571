// The tab that plays a file: the page of `animfmt view`, in a frame without any rights but scripts.

import { element } from './viewer/panel.js';
import { Panel, paragraph } from './panels.js';

export class View extends Panel {
  /** `theme`: dark or light. `onMessage`: what the viewer tells. `onAlone`: shows the file without its repairs. */
  constructor(engine, { theme, clip, onClip, onTheme, onDrag, onDrop, onAlone }) {
    super('view', 'View');
    Object.assign(this, { engine, theme, clip, onClip, onTheme, onDrag, onDrop, onAlone });
    window.addEventListener('message', (event) => this.#hear(event));
  }

  async make(subject) {
    const { path, options, opened, fix } = subject;
    if (!opened.shows) return [paragraph(opened.needs ?? 'This file has nothing to show.', 'message')];
    const made = await this.engine.call(`Preparing ${path}`, 'view', path, { ...options, fix });
    const shown = () => this.#shown(subject, made);
    if (made.heavy.length === 0) return shown();
    const draw = element('button', { type: 'button', onclick: () => this.element.replaceChildren(...shown()) }, ['Draw it anyway']);
    return [element('div', { className: 'message' }, [paragraph(`This model has ${made.heavy.join(' and ')}: drawing it may be slow.`), element('p', {}, [draw])])];
  }

  #shown({ path, fix }, { html, models, files }) {
    this.models = models;
    this.frame = element('iframe', { title: `Viewer: ${path}`, srcdoc: html });
    this.frame.setAttribute('sandbox', 'allow-scripts');
    const bar = element('p', { className: 'bar row' }, [files.length > 1 ? 'Before and after the repairs' : 'Nothing was repaired', element('button', { type: 'button', onclick: this.onAlone }, ['Show the file alone'])]);
    return [...(fix ? [bar] : []), this.frame];
  }

  #hear({ source, data }) {
    if (!this.frame || source !== this.frame.contentWindow) return;
    const heard = {
      ready: () => {
        const { models } = this;
        this.models = [];
        this.#tell({ animfmt: 'models', models, clip: this.clip(), theme: this.theme() }, models);
      },
      clip: () => this.onClip(String(data.name)),
      theme: () => this.onTheme(data.theme === 'dark' ? 'dark' : 'light'),
      drag: this.onDrag,
      drop: () => this.onDrop([...data.files].filter((file) => file instanceof File)),
    };
    if (Object.hasOwn(heard, data?.animfmt)) heard[data.animfmt]();
  }

  /** Stops the viewer. */
  close() {
    this.element.replaceChildren();
    this.frame = null;
    this.models = [];
    this.forget();
  }

  setTheme(theme) {
    this.#tell({ animfmt: 'theme', theme });
  }

  setClip(name) {
    this.#tell({ animfmt: 'clip', name });
  }

  #tell(message, buffers = []) {
    this.frame?.contentWindow?.postMessage(message, '*', buffers);
  }
}
