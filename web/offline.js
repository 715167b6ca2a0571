// Keeps the page for use without a network.

import { find } from './viewer/panel.js';

/** Registers the service worker, and offers a new version of the page when there is one. */
export async function keep() {
  if (!navigator.serviceWorker) return;
  const hadOne = Boolean(navigator.serviceWorker.controller);
  const registration = await navigator.serviceWorker.register('sw.js').catch(() => null);
  if (!registration) return;
  const button = find('update');
  button.addEventListener('click', () => registration.waiting?.postMessage('take over'));
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (hadOne) location.reload();
  });
  const offer = () => {
    button.hidden = !(registration.waiting && navigator.serviceWorker.controller);
  };
  offer();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offer));
  await navigator.serviceWorker.ready;
  find('offline').textContent = ' · works offline';
}
