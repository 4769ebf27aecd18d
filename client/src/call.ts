import { ConnectionError, problemOf } from './errors.ts';
import { linesOf } from './lines.ts';
import { waitBefore, type RetryPolicy } from './retries.ts';

/** How a client reaches its service. */
export interface ClientOptions {
  /** Where the service is, without `/v1`: `http://localhost:8080`. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key` with every operation that takes a key. */
  readonly apiKey?: string;
  /** Of `/metrics` alone. */
  readonly metricsToken?: string;
  /** Instead of the platform's own. */
  readonly fetch?: typeof globalThis.fetch;
  /** How often to try again, and how long to wait for at most. */
  readonly retries?: Partial<RetryPolicy>;
}

/** What one call may bring along. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Of a submission: your own, so that sending it again from elsewhere makes no second job. Without one each call makes its own. */
  readonly idempotencyKey?: string;
  /** Members that are not known are errors instead of warnings. */
  readonly isStrict?: boolean;
  /** Told what stands beside the answer: its cost and its name in the log. */
  readonly onAnswer?: (about: AboutAnswer) => void;
}

export interface AboutAnswer {
  readonly status: number;
  readonly requestId: string | null;
  readonly creditsCharged: number | null;
  /** Null where the plan has no cap. */
  readonly creditsRemaining: number | null;
  /** Whether an earlier submission with the same `Idempotency-Key` was answered again. */
  readonly isReplayed: boolean;
}

/** One request, as the generated operations describe it. */
export interface CallRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly query?: object;
  readonly key?: 'metrics' | 'none';
  readonly answers?: 'text';
  readonly startsJob?: true;
  readonly isDryRun?: true;
}

export type Call = <Answer>(request: CallRequest, options?: CallOptions) => Promise<Answer>;
export type CallLines = <Line>(request: CallRequest, options?: CallOptions) => AsyncGenerator<Line, void>;

const RETRIES: RetryPolicy = { attempts: 3, waitMsMax: 30_000 };

/** Sends requests: keys, queries, tries and errors in one place. */
export function createCalls(client: ClientOptions): { readonly call: Call; readonly callLines: CallLines } {
  return {
    call: async (request, options = {}) => {
      const accept = request.answers === 'text' ? 'text/plain' : 'application/json';
      const response = await send(client, request, options, accept);
      const text = await textOf(response);
      return JSON.parse(request.answers === 'text' ? JSON.stringify(text) : text);
    },
    callLines: async function* (request, options = {}) {
      const response = await send(client, request, options, 'application/x-ndjson');
      if (response.body) yield* linesOf(response.body);
    },
  };
}

/** The first answer that is worth having: a success, or an error that trying again would not mend. */
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
      options.onAnswer?.(aboutOf(outcome));
      return outcome;
    }
    const error = outcome instanceof Response ? await problemOf(outcome) : outcome;
    const waitMs = waitBefore(attempt, { error, isRepeatable, policy });
    if (waitMs === null) throw error;
    await sleep(waitMs, signal);
  }
}

/** What came back, or that nothing did. What the caller called off stays their own error. */
async function attemptOf(
  ask: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response | ConnectionError> {
  try {
    return await ask();
  } catch (error) {
    if (signal?.aborted) throw error;
    return new ConnectionError('The service cannot be reached, or hung up before it answered.', {
      cause: error,
    });
  }
}

async function textOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new ConnectionError('The answer broke off.', { cause: error });
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
  // A dry run takes nothing on; without a key of its own, sending a submission twice would make two jobs.
  if (request.startsJob && !request.isDryRun) {
    headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
  }
  return headers;
}

/** Lists by commas, objects as JSON; what is undefined or null is left out. */
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
  if (!Array.isArray(value)) return String(value);
  return value.some((entry) => typeof entry === 'object') ? JSON.stringify(value) : value.join(',');
}

function aboutOf({ status, headers }: Response): AboutAnswer {
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
