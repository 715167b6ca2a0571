// What is being done, with a button that cancels it.

import { find } from './viewer/panel.js';
import { size } from './text.js';

/** Shorter work is not shown, in milliseconds. */
const DELAY = 300;

export class Busy {
  constructor(onCancel) {
    this.timer = null;
    find('cancel').addEventListener('click', onCancel);
  }

  /** `work`: what is done, or `null` when it is done. `progress`: bytes done, of a total. */
  show(work, progress = null) {
    clearTimeout(this.timer);
    if (work === null) {
      // Work is often followed by more.
      this.timer = setTimeout(() => this.#set(true), 50);
      return;
    }
    find('busy-text').textContent = progress ? `${work} (${size(progress.done)} of ${size(progress.total)})` : `${work}…`;
    const bar = find('busy-bar');
    if (progress) Object.assign(bar, { max: Math.max(progress.total, 1), value: progress.done });
    else bar.removeAttribute('value');
    if (find('busy').hidden) this.timer = setTimeout(() => this.#set(false), DELAY);
  }

  #set(isHidden) {
    find('busy').hidden = isHidden;
  }
}
