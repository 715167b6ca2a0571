// What the address says after `#`: the sample, the tab, the clip and the format to convert to.

const NAMES = ['sample', 'file', 'tab', 'clip', 'to'];

/** The state in the address: an object with those of the names that are there. */
export function read() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(NAMES.filter((name) => parameters.has(name)).map((name) => [name, parameters.get(name)]));
}

/** Writes the state to the address: as a new entry of the history, or over the current one. */
export function write(state, { isNew = false } = {}) {
  const parameters = new URLSearchParams(NAMES.filter((name) => state[name]).map((name) => [name, state[name]]));
  const hash = parameters.size > 0 ? `#${parameters}` : '';
  if (hash === location.hash) return;
  const url = `${location.pathname}${location.search}${hash}`;
  if (isNew) history.pushState(null, '', url);
  else history.replaceState(null, '', url);
}
