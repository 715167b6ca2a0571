// Keeps all files of this page, so that it works without a network. `cargo xtask web` fills in the
// names of the files and the hash of their contents.

const BUILD = '{{build}}';
const FILES = {{files}};
const PREFIX = `animfmt ${new URL(self.registration.scope).pathname} `;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(PREFIX + BUILD).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })))));
});

self.addEventListener('activate', (event) => {
  const forget = (names) => Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== PREFIX + BUILD).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(forget).then(() => self.clients.claim()));
});

self.addEventListener('message', ({ data }) => {
  if (data === 'take over') self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || !event.request.url.startsWith(self.registration.scope)) return;
  const kept = caches.open(PREFIX + BUILD).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(kept.then((answer) => answer ?? fetch(event.request)));
});
