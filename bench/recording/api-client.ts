import type { RecordAnswer } from './answer-log.ts';
import type { Json } from './normalize.ts';

interface Asked {
  readonly body?: unknown;
  /** Sent as it is, in place of a body as JSON. */
  readonly text?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies as a client sees them
  readonly body: any;
}

/** Sends a request, records the response under its name, and returns it. */
export type Ask = (name: string, method: string, path: string, asked?: Asked) => Promise<Answered>;

/** Headers whose values are the same in every recording. Limits and credits left depend on time. */
const RECORDED_HEADERS = [
  'content-type',
  'www-authenticate',
  'allow',
  'accept',
  'x-credits-charged',
  'idempotent-replayed',
  'preference-applied',
  'cache-control',
  'deprecation',
  'sunset',
  'vary',
];

export function createClient(
  url: string,
  record: RecordAnswer,
  standard: () => Readonly<Record<string, string>>,
): Ask {
  return async (name, method, path, { body, text, headers = {} } = {}) => {
    const payload = text ?? (body === undefined ? null : JSON.stringify(body));
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...standard(),
        ...(payload === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === null ? {} : { body: payload }),
      redirect: 'manual',
    });
    const received = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json') && received !== '';
    const parsed = isJson ? jsonOf(received) : received;
    record({
      name,
      status: response.status,
      headers: Object.fromEntries(
        RECORDED_HEADERS.flatMap((header) => {
          const value = response.headers.get(header);
          return value === null ? [] : [[header, value]];
        }),
      ),
      body: parsed,
    });
    return { status: response.status, headers: response.headers, text: received, body: parsed };
  };
}

/** NDJSON is a list of its lines. */
function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
  }
}
