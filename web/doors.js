// How files come in: dropped, or chosen.

import { find } from './viewer/panel.js';
import { hasFiles, ofDrop, ofInput } from './gather.js';

export class Doors {
  /** `onFiles`: called with a function that returns the files. */
  constructor(onFiles) {
    this.onFiles = onFiles;
    for (const kind of ['files', 'folder']) this.#picker(kind);
    window.addEventListener('dragenter', (event) => {
      if (hasFiles(event)) this.cover();
    });
    window.addEventListener('dragover', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    });
    window.addEventListener('drop', (event) => this.#drop(event));
    find('cover').addEventListener('dragleave', () => this.uncover());
  }

  /** Covers the page, so that files are dropped on it and not into a frame. */
  cover() {
    find('cover').hidden = false;
  }

  uncover() {
    find('cover').hidden = true;
  }

  #drop(event) {
    this.uncover();
    if (!hasFiles(event)) return;
    event.preventDefault();
    const files = ofDrop(event.dataTransfer);
    this.onFiles(() => files);
  }

  #picker(kind) {
    const input = find(`pick-${kind}`);
    input.addEventListener('change', () => {
      const files = ofInput(input);
      // The same files can be chosen again.
      input.value = '';
      this.onFiles(() => files);
    });
    for (const button of document.querySelectorAll(`[data-pick=${kind}]`)) {
      button.hidden = kind === 'folder' && !('webkitdirectory' in input);
      button.addEventListener('click', () => input.click());
    }
  }
}
