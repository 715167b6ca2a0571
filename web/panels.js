// What the panels share: each shows a subject, which is a file with the options it was opened with.

import { element } from './viewer/panel.js';
import { Cancelled, Refused, Stopped } from './engine.js';

const SAID = [
  [Refused, (error, path) => (error.file && error.file !== path ? `${error.file}: ${error.message}` : error.message)],
  [Stopped, (error) => `The program stopped: ${error.message}. It was started again; the other files can still be used.`],
  [Cancelled, () => 'Cancelled.'],
];

/** What a panel shows instead of a result. */
export function failure(error, path, again) {
  const [, say] = SAID.find(([type]) => error instanceof type) ?? [null, () => `The page failed: ${error.message}`];
  const parts = [element('p', {}, [say(error, path)])];
  if (!(error instanceof Refused)) parts.push(element('p', {}, [element('button', { type: 'button', onclick: again }, ['Try again'])]));
  return element('div', { className: error instanceof Cancelled ? 'message' : 'message bad', role: 'alert' }, parts);
}

/** A panel whose content is made when it is first shown, and again for another subject. */
export class Panel {
  constructor(id, title) {
    Object.assign(this, { id, title, element: element('div', { className: 'panel' }), shown: null });
  }

  /** Shows a subject, unless it is already shown. */
  async show(subject) {
    if (this.shown === subject) return;
    this.shown = subject;
    this.element.replaceChildren(element('p', { className: 'dim' }, ['…']));
    try {
      if (!subject.opened) throw subject.error;
      const made = await this.make(subject);
      if (this.shown === subject && made) this.element.replaceChildren(...made);
    } catch (error) {
      if (this.shown !== subject) return;
      this.element.replaceChildren(failure(error, subject.path, () => subject.again()));
      if (!(error instanceof Refused)) this.shown = null;
    }
  }

  forget() {
    this.shown = null;
  }
}

/** Text of a status line, and a heading. */
export const heading = (text) => element('h2', {}, [text]);
export const paragraph = (text, className = '') => element('p', { className }, [text]);

/** Saves bytes under a name. */
export function save(name, bytes) {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = element('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
