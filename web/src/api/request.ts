import { pause } from './pause.ts';
import { Problem, problemOf, unreachable } from './problem.ts';

const ROOT = '/console/api';

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface RequestOptions {
  readonly query?: Query;
  readonly body?: unknown;
  /** Sent as they are, instead of a JSON body. */
  readonly bytes?: Blob;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the plan allows so many requests a second, waits as long as it is told to and asks again. */
  readonly isPatient?: boolean;
}

/** Longer than this nobody waits without a word: a limit of a second ends, one of a minute or a day is told. */
const MOST_PATIENCE_S = 3;
/** Others of the account ask too, and may be first. */
const MOST_TRIES = 4;

/** What was answered, with the headers that say what it cost. */
export interface Answer<T> {
  readonly body: T;
  readonly headers: Headers;
}

/** The one thing of a session that requests need; the session itself is a cookie that no script can read. */
const state: { csrfToken: string; onSignedOut: () => void } = { csrfToken: '', onSignedOut: () => {} };

/** Of the session in force: every request that changes something is sent with its token. */
export function setCsrfToken(csrfToken: string): void {
  state.csrfToken = csrfToken;
}

/** Called when the server says that nobody is signed in (any more). */
export function onSignedOut(listener: () => void): void {
  state.onSignedOut = listener;
}

/**
 * Asks `/console/api` + path for JSON: the routes of the API under the names they have below /v1, and the console's own.
 *
 * @throws Problem with a sentence; an aborted request throws what `fetch` throws
 */
export async function request<T>(
  method: 'GET' | 'POST',
  path: string,
  options: RequestOptions = {},
): Promise<T> {
  return (await requestWhole<T>(method, path, options)).body;
}

export async function requestWhole<T>(
  method: 'GET' | 'POST',
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  const response = await send(method, path, options);
  const body: T = await response.json();
  return { body, headers: response.headers };
}

/** The response itself, for what is not JSON: a download, lines as they come. Refusals are thrown all the same. */
export async function send(
  method: 'GET' | 'POST',
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      return await sendOnce(method, path, options);
    } catch (error) {
      const waitS = error instanceof Problem && error.status === 429 ? error.retryAfterSeconds : null;
      const isWorthWaiting = waitS !== null && waitS <= MOST_PATIENCE_S && tries < MOST_TRIES;
      if (!options.isPatient || !isWorthWaiting) throw error;
      await pause(waitS, options.signal);
    }
  }
}

async function sendOnce(
  method: 'GET' | 'POST',
  path: string,
  { query, body, bytes, signal, headers = {} }: RequestOptions,
): Promise<Response> {
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
  if (response.ok) return response;
  const problem = problemOf(response.status, response.headers, await jsonOf(response));
  if (problem.code === 'not_signed_in') state.onSignedOut();
  throw problem;
}

/** A path below `/console/api`, with its query; what is null or undefined is left out. */
export function urlOf(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return `${ROOT}${path}${text === '' ? '' : `?${text}`}`;
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** Whatever was thrown, as a problem that can be shown. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new Problem({ status: 0, code: 'console_error', detail: `The console failed: ${detail}` });
}
