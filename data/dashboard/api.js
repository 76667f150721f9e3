// SPDX-License-Identifier: LGPL-2.1-or-later
// The control API of the daemon that serves this page, and its stream of events.

const ROOT = '/api/v1/mcp/';
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15000;

export class ApiError extends Error {
  constructor(status, detail, code) {
    super(detail);
    Object.assign(this, {status, code});
  }

  get isMissing() { return this.status === 404 && !this.code; }
  get isSignedOut() { return this.status === 401; }
}

async function readProblem(response) {
  const problem = await response.json().catch(() => ({}));
  return new ApiError(response.status, problem.detail || `${response.status} ${response.statusText}`, problem.code);
}

// The answer's JSON; null where it has none. Throws an ApiError, or a TypeError where the daemon cannot be reached.
export async function ask(method, path, body) {
  const headers = {Accept: 'application/json', 'X-Gmcp-Dashboard': '1'};
  if (body !== undefined)
    headers['Content-Type'] = 'application/json';
  const response = await fetch(ROOT + path, {
    method, headers, credentials: 'same-origin', cache: 'no-store', redirect: 'error',
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok)
    throw await readProblem(response);
  return response.status === 204 ? null : response.json();
}

export const name = text => encodeURIComponent(text);
export const serverPath = (server, rest = '') => `servers/${name(server)}${rest}`;

// handlers: open(), lost(wait_ms), signedOut(), and event(name, data).
export class Events {
  constructor(names, handlers) {
    Object.assign(this, {names, handlers, wait: FIRST_WAIT_MS, timer: 0, source: null});
    addEventListener('online', () => this.connectNow());
  }

  connectNow() {
    if (this.source?.readyState === EventSource.OPEN)
      return;
    clearTimeout(this.timer);
    this.source?.close();
    this.connect();
  }

  connect() {
    const source = new EventSource(`${ROOT}events`);
    this.source = source;
    source.addEventListener('open', () => {
      this.wait = FIRST_WAIT_MS;
      this.handlers.open();
    });
    source.addEventListener('error', () => this.lose(source));
    for (const event of this.names)
      source.addEventListener(event, message => this.take(event, message.data));
  }

  take(event, text) {
    let data;
    try {
      data = JSON.parse(text);
    } catch {
      return;
    }
    this.handlers.event(event, data);
  }

  // The browser's own way to reconnect gives up at an answer that is no stream, and does not say which it was.
  async lose(source) {
    source.close();
    if (source !== this.source)
      return;
    this.source = null;
    const wait = this.wait;
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
    this.handlers.lost(wait);
    try {
      await ask('GET', 'status');
    } catch (error) {
      if (error.isSignedOut) {
        this.handlers.signedOut();
        return;
      }
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connectNow(), wait * (0.75 + Math.random() / 2));
  }
}
