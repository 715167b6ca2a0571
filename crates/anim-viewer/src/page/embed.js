// The page in a frame: the page around it has the models, and both agree on the clip and the theme.

const OUTER = window.parent === window ? null : window.parent;

function tell(message) {
  OUTER.postMessage(message, '*');
}

/** What the page around this one says: `onMessage` is called with each message of a kind. */
function listen(kind, onMessage) {
  window.addEventListener('message', ({ source, data }) => {
    if (source === OUTER && data?.animfmt === kind) onMessage(data);
  });
}

/** Returns the models that the page around this one posts, and what to show first. `null` without a frame. */
export function posted() {
  if (!OUTER) return null;
  return new Promise((resolve) => {
    listen('models', resolve);
    tell({ animfmt: 'ready' });
  });
}

/** Keeps the page around this one up to date, and does what it says. */
export function embed(page, { clip, theme }) {
  document.documentElement.classList.add('framed');
  if (theme) page.setTheme(theme);
  if (clip) page.chooseNamed(clip);
  page.onChoose = (name) => tell({ animfmt: 'clip', name });
  page.onTheme = (own) => tell({ animfmt: 'theme', theme: own });
  listen('clip', ({ name }) => page.chooseNamed(name));
  listen('theme', (message) => page.setTheme(message.theme));
  // Files are for the page around this one, which covers the frame. A quick hand drops them before.
  const take = (type, send) => window.addEventListener(type, (event) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    send(event.dataTransfer);
  });
  take('dragenter', () => tell({ animfmt: 'drag' }));
  take('dragover', () => {});
  take('drop', ({ files }) => tell({ animfmt: 'drop', files: [...files] }));
}
