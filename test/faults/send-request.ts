import { setTimeout as sleep } from 'node:timers/promises';
import { valuationBody } from './fault-market.ts';

/** A response as a client sees it. Status 0 means that the connection broke. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly beganAt: number;
  readonly endedAt: number;
}

const TIMEOUT_MS = 30_000;

export async function ask(
  url: string,
  key: string,
  payload: string | null = null,
  further: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const beganAt = performance.now();
  try {
    const response = await fetch(url, {
      method: payload === null ? 'GET' : 'POST',
      headers: {
        'x-api-key': key,
        ...(payload === null ? {} : { 'content-type': 'application/json' }),
        ...further,
      },
      body: payload,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body: Record<string, unknown> = JSON.parse(await response.text());
    return { status: response.status, body, beganAt, endedAt: performance.now() };
  } catch (error) {
    return { status: 0, body: { error: String(error) }, beganAt, endedAt: performance.now() };
  }
}

export const askValue = (url: string, key: string, number: number): Promise<Answer> =>
  ask(`${url}/v1/avm/property`, key, valuationBody(number));

/** Submits a batch with an idempotency key, so that a retry creates no second batch. */
export const askBatch = (
  url: string,
  key: string,
  payload: string,
  idempotencyKey: string,
): Promise<Answer> =>
  ask(`${url}/v1/avm/batch/property`, key, payload, { 'idempotency-key': idempotencyKey });

/** The valuation id in a response. */
export function valuationIdOf({ body }: Answer): string {
  const { valuation } = body;
  const id: unknown = Object(valuation).valuation_id;
  if (typeof id !== 'string') throw new Error(`a response without valuation_id: ${JSON.stringify(body)}`);
  return id;
}

/** Clients that send one request after the other until they are stopped. */
export interface Load {
  readonly answers: Answer[];
  readonly stop: () => Promise<void>;
}

/** After a failed request a client waits briefly, as clients should. */
const AFTER_FAILURE_MS = 20;

export function startLoad(clients: number, askOne: (number: number) => Promise<Answer>): Load {
  const answers: Answer[] = [];
  const state = { isStopped: false };
  let begun = 0;
  const client = async (): Promise<void> => {
    while (!state.isStopped) {
      const answer = await askOne(begun++);
      answers.push(answer);
      if (answer.status >= 300 || answer.status === 0) await sleep(AFTER_FAILURE_MS);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    answers,
    stop: async () => {
      state.isStopped = true;
      await all;
    },
  };
}

/** The number of responses by status: `200: 512, 503: 3`. */
export function countStatuses(answers: readonly Answer[]): string {
  const counts = Map.groupBy(answers, ({ status }) => status);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, those]) => `${status}: ${those.length}`)
    .join(', ');
}
