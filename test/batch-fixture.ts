import { randomBytes } from 'node:crypto';
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createKey } from '../src/accounts/manage-keys.ts';
import { composeOperations } from '../src/cli/compose-operations.ts';
import { Ajv } from 'ajv';
import { buildOpenApi } from '../src/api/openapi.ts';
import { ROUTES } from '../src/api/routes.ts';
import type { TestEngine } from './harness/store/engines.ts';
import { startTestApp } from './test-app.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import type { Json } from './json.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Json;
  readonly text: string;
  readonly body: Json;
}

/** Receivers reject signatures with old timestamps, so the clock must be close to real time. */
export const NOW = Date.now();
export const DAY_MS = 86_400_000;
export const SUBMIT = '/v1/avm/batch/property';
export const HOME = { location: { latitude: 43, longitude: -88 }, property_fields: { beds: 3, baths: 2 } };
export const homes = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ property_id: `home ${i}`, ...HOME }));

/**
 * The service on a database without a market. Every item fails, but the handling of the batch is the same.
 */
export async function serveBatches(t: TestContext, engine: TestEngine) {
  const state = { now: NOW };
  const store = await engine.open();
  const operations = { ...composeOperations(store), clock: () => new Date(state.now) };
  const { app, key, batchLoop, deliverySender } = await startTestApp(operations, {
    callbackAllowCidrs: ['127.0.0.0/8'],
  });
  t.after(async () => {
    await app.close();
    await batchLoop.close();
    await deliverySender.close();
    await operations.valuationLog.close();
    await store.close();
  });
  const keyOf = async (accountId: string, plan: string, scopes = ['*']): Promise<string> => {
    const row = { accountId, name: accountId, plan, createdAt: 0 };
    await store.db
      .insertInto('accounts')
      .values(row)
      .onConflict((on) => on.doNothing())
      .execute();
    const deps = { store, clock: operations.clock, randomBytes };
    return (await createKey(deps, COMMAND_LINE, { name: accountId, accountId, scopes })).text;
  };
  const call = async (
    method: 'GET' | 'POST',
    url: string,
    { body, headers = {}, as = key }: { body?: unknown; headers?: Record<string, string>; as?: string } = {},
  ): Promise<Answer> => {
    const response = await app.inject({
      method,
      url,
      headers: {
        'x-api-key': as,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const isJson = /json(;|$)/.test(String(response.headers['content-type']));
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: isJson && !/ndjson/.test(String(response.headers['content-type'])) ? response.json() : {},
    };
  };
  const submit = async (count: number, members: object = {}): Promise<Json> => {
    const { status, body } = await call('POST', SUBMIT, { body: { properties: homes(count), ...members } });
    assert.equal(status, 202, JSON.stringify(body));
    return body;
  };
  const passMs = (ms: number): void => void (state.now += ms);
  return { app, key, store, call, submit, keyOf, batchLoop, deliverySender, passMs };
}

const ajv = new Ajv({ strict: false, validateFormats: false }).addSchema(buildOpenApi(ROUTES), 'openapi');

/** Fails if a response does not match its published schema. */
export function assertPublished(title: string, answer: unknown): void {
  const check = ajv.compile({ $ref: `openapi#/components/schemas/${title}` });
  assert.equal(check(answer), true, `${title}: ${JSON.stringify(check.errors)}`);
}
