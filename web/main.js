// Starts the page.

import { App } from './app.js';
import { keep } from './offline.js';
import { find } from './viewer/panel.js';

const app = new App();

/** For tests: what the page shows. */
window.animfmt = { app, ready: app.start() };
window.animfmt.ready.catch((error) => {
  find('notice').textContent = `The page cannot start: ${error.message}`;
});
keep();
