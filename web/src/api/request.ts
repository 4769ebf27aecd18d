import { Problem, problemOf, unreachable } from './problem.ts';

const ROOT = '/console/api';

type Method = 'GET' | 'POST' | 'DELETE';

interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as they are, instead of a JSON body. */
  readonly bytes?: Blob;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** After a 429, or a 503 for too much load, with a short `Retry-After`, waits and tries again. */
  readonly isPatient?: boolean;
}

/** A limit per second ends within this time. Longer limits are reported instead. */
const PATIENCE_MAX_S = 3;
/** How often a request is tried: other users of the account may use up the limit again. */
const MAX_TRIES = 4;
/** Requests over a limit, or more than the server can handle in time, which rejects them before it does anything. */
const WAITS: ReadonlySet<number> = new Set([429, 503]);

/** Requests that change something send the session's token. The session itself is a cookie that scripts cannot read. */
const state: { csrfToken: string; onSignedOut: () => void } = { csrfToken: '', onSignedOut: () => {} };

export function setCsrfToken(csrfToken: string): void {
  state.csrfToken = csrfToken;
}

/** Sets what is called when the server reports that the session has ended. */
export function onSignedOut(listener: () => void): void {
  state.onSignedOut = listener;
}

export function get<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return request('GET', path, { isPatient: true, ...options });
}

export function post<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return request('POST', path, { ...(options.bytes ? {} : { body: {} }), ...options });
}

export function remove<T>(path: string): Promise<T> {
  return request('DELETE', path, {});
}

/**
 * Requests JSON from `/console/api` + path.
 *
 * @throws Problem with a sentence for the user; an aborted request throws what `fetch` throws
 */
async function request<T>(method: Method, path: string, options: RequestOptions): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await requestOnce<T>(method, path, options);
    } catch (error) {
      const waitS = error instanceof Problem && WAITS.has(error.status) ? error.retryAfterSeconds : null;
      const isWorthWaiting = waitS !== null && waitS <= PATIENCE_MAX_S && tries < MAX_TRIES;
      if (!options.isPatient || !isWorthWaiting) throw error;
      await pause(waitS, options.signal);
    }
  }
}

async function requestOnce<T>(
  method: Method,
  path: string,
  { query, body, bytes, signal, headers }: RequestOptions,
): Promise<T> {
  const response = await fetch(urlOf(path, query), {
    method,
    signal: signal ?? null,
    credentials: 'same-origin',
    cache: 'no-store',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bytes === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      ...(method === 'GET' ? {} : { 'x-csrf-token': state.csrfToken }),
      ...headers,
    },
    // oxlint-disable-next-line unicorn/no-invalid-fetch-options -- none of our GETs has one
    body: bytes ?? (body === undefined ? null : JSON.stringify(body)),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw unreachable();
  });
  if (response.ok) return response.json();
  const document: unknown = await response.json().catch(() => null);
  const problem = problemOf(response.status, response.headers, document);
  if (problem.code === 'not_signed_in') state.onSignedOut();
  throw problem;
}

/** A path below `/console/api` with its query. Parameters that are null or undefined are left out. */
export function urlOf(path: string, query: RequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) parameters.set(name, String(value));
  }
  return `${ROOT}${path}${parameters.size === 0 ? '' : `?${parameters}`}`;
}

/** Waits. Rejects as `fetch` does when the signal aborts. */
export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
