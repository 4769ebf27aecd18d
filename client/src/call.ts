import { ConnectionError, problemOf } from './errors.ts';
import { linesOf } from './lines.ts';
import { waitBefore, type RetryPolicy } from './retries.ts';

/** How a client reaches its service. */
export interface ClientOptions {
  /** The address of the service, without `/v1`: `http://localhost:8080`. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key` with every operation that needs a key. */
  readonly apiKey?: string;
  /** Only for `/metrics`. */
  readonly metricsToken?: string;
  /** Replaces the platform's own `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** How often to retry, and the longest wait. */
  readonly retries?: Partial<RetryPolicy>;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * For operations that start a job: your own key, so that sending the request again from elsewhere starts no
   * second job. Without it, each call creates its own.
   */
  readonly idempotencyKey?: string;
  /** Rejects unknown members instead of returning warnings. */
  readonly isStrict?: boolean;
  /** Called with the response's metadata: its cost and its request id. */
  readonly onResponse?: (info: ResponseInfo) => void;
}

export interface ResponseInfo {
  readonly status: number;
  readonly requestId: string | null;
  readonly creditsCharged: number | null;
  /** Null if the plan has no cap. */
  readonly creditsRemaining: number | null;
  /** Whether this is the stored response to an earlier request with the same `Idempotency-Key`. */
  readonly isReplayed: boolean;
}

/** One request, as the generated operations describe it. */
export interface CallRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly query?: object;
  readonly key?: 'metrics' | 'none';
  readonly accepts?: 'text';
  /** Value of `Accept` for operations that return a file. */
  readonly fileTypes?: string;
  readonly startsJob?: true;
  readonly isDryRun?: true;
}

export type Call = <Body>(request: CallRequest, options?: CallOptions) => Promise<Body>;
export type CallFile = (request: CallRequest, options?: CallOptions) => Promise<Blob>;
export type CallLines = <Line>(request: CallRequest, options?: CallOptions) => AsyncGenerator<Line, void>;

const RETRIES: RetryPolicy = { attempts: 3, waitMsMax: 30_000 };

/** Sends requests. Keys, queries, retries and errors are handled here. */
export function createCalls(client: ClientOptions): {
  readonly call: Call;
  readonly callFile: CallFile;
  readonly callLines: CallLines;
} {
  return {
    call: async (request, options = {}) => {
      const accept = request.accepts === 'text' ? 'text/*' : 'application/json';
      const response = await send(client, request, options, accept);
      const text = await whole(response.text());
      return JSON.parse(request.accepts === 'text' ? JSON.stringify(text) : text);
    },
    callFile: async (request, options = {}) => {
      const response = await send(client, request, options, request.fileTypes ?? '*/*');
      return whole(response.blob());
    },
    callLines: async function* (request, options = {}) {
      const response = await send(client, request, options, 'application/x-ndjson');
      if (response.body) yield* linesOf(response.body);
    },
  };
}

/** Sends a request until it succeeds or fails with an error that a retry cannot fix. */
async function send(
  client: ClientOptions,
  request: CallRequest,
  options: CallOptions,
  accept: string,
): Promise<Response> {
  const { fetch = globalThis.fetch, retries } = client;
  const policy = { ...RETRIES, ...retries };
  const { signal } = options;
  const url = `${client.baseUrl.replace(/\/+$/, '')}${request.path}${queryOf(request.query)}`;
  const headers = headersOf(client, request, options, accept);
  const init = {
    method: request.method,
    headers,
    ...(request.body ? { body: JSON.stringify(request.body) } : {}),
    ...(signal ? { signal } : {}),
  };
  const isRepeatable = request.method === 'GET' || headers.has('idempotency-key');
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOf(() => fetch(url, init), signal);
    if (outcome instanceof Response && outcome.ok) {
      options.onResponse?.(infoOf(outcome));
      return outcome;
    }
    const error = outcome instanceof Response ? await problemOf(outcome) : outcome;
    const waitMs = waitBefore(attempt, { error, isRepeatable, policy });
    if (waitMs === null) throw error;
    await sleep(waitMs, signal);
  }
}

/** The response, or an error if there was none. If the caller aborted, their own error is thrown. */
async function attemptOf(
  ask: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response | ConnectionError> {
  try {
    return await ask();
  } catch (error) {
    if (signal?.aborted) throw error;
    return new ConnectionError(
      'The service cannot be reached, or closed the connection before it responded.',
      {
        cause: error,
      },
    );
  }
}

async function whole<Content>(reading: Promise<Content>): Promise<Content> {
  try {
    return await reading;
  } catch (error) {
    throw new ConnectionError('The response is incomplete: the connection broke.', { cause: error });
  }
}

function headersOf(
  client: ClientOptions,
  request: CallRequest,
  options: CallOptions,
  accept: string,
): Headers {
  const headers = new Headers({ accept });
  if (request.key === undefined && client.apiKey) headers.set('x-api-key', client.apiKey);
  if (request.key === 'metrics' && client.metricsToken) {
    headers.set('authorization', `Bearer ${client.metricsToken}`);
  }
  if (request.body) headers.set('content-type', 'application/json');
  if (request.isDryRun) headers.set('x-dry-run', 'true');
  if (options.isStrict) headers.set('prefer', 'handling=strict');
  // A dry run starts no job. Without an idempotency key, sending a request twice would start two jobs.
  if (request.startsJob && !request.isDryRun) {
    headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
  }
  return headers;
}

/** Lists are separated by commas and objects are JSON. Undefined and null members are omitted. */
export function queryOf(query: object | undefined): string {
  const flat = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .map(
      ([name, value]: [string, unknown]) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(textIn(value))}`,
    );
  return flat.length > 0 ? `?${flat.join('&')}` : '';
}

function textIn(value: unknown): string {
  const isJson = (entry: unknown): boolean => typeof entry === 'object';
  if (Array.isArray(value)) return value.some(isJson) ? JSON.stringify(value) : value.join(',');
  return isJson(value) ? JSON.stringify(value) : String(value);
}

function infoOf({ status, headers }: Response): ResponseInfo {
  const numberIn = (name: string): number | null => {
    const text = headers.get(name);
    return text === null ? null : Number(text);
  };
  return {
    status,
    requestId: headers.get('x-request-id'),
    creditsCharged: numberIn('x-credits-charged'),
    creditsRemaining: numberIn('x-credits-remaining'),
    isReplayed: headers.get('idempotent-replayed') === 'true',
  };
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
