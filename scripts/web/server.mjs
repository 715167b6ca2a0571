// Serves a folder on this machine, and records what is requested.

import { createServer } from 'node:http';
import { readFileSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

export class Server {
  /** Starts a server on any free port. */
  static async start(folder) {
    const server = new Server(folder);
    await new Promise((done) => { server.http.listen(0, '127.0.0.1', done); });
    server.address = `http://127.0.0.1:${server.http.address().port}/`;
    return server;
  }

  constructor(folder) {
    this.requests = [];
    this.http = createServer((request, response) => {
      const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
      this.requests.push({ method: request.method, path });
      const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
      const isFile = file.startsWith(folder) && statSync(file, { throwIfNoEntry: false })?.isFile();
      response.writeHead(isFile ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
      response.end(isFile ? readFileSync(file) : '');
    });
  }

  async stop() {
    this.http.closeAllConnections();
    await new Promise((done) => { this.http.close(done); });
  }
}
