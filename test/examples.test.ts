import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Operation, Parameter } from '../client/generate/document.ts';
import { assertAnswerPublished, DOCUMENT } from './published-responses.ts';
import { serveSampleCounty, type SampleService } from './sample-service.ts';
import { isRecord } from '../src/domain/json.ts';

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const LISTED: readonly Listed[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

/** Requests that create things come before requests that name them. A job is read before it is canceled. */
/** They need a batch that has ended. */
const WAITING = ['retryFailed', 'revaluePortfolio'];
const LATER = ['cancelJob', 'cancelSweep', 'revaluePortfolio', 'retryFailed', 'openShare', 'listShares'];
/** A link is revoked after it was opened, and the values of a sweep can be read once it was cancelled. */
const LAST = ['revokeShare', 'readSweepValues', 'deletePortfolio'];
/**
 * These can fail with a conflict, because the job or delivery may be done or not done yet.
 * test/client-service.test.ts tests them at the right time.
 */
const MAY_BE_LATE = ['cancelJob', 'cancelSweep', 'redeliver'];
const inOrder = ({ operation: { operationId }, path }: Listed): number => {
  if (LAST.includes(operationId)) return 3;
  return LATER.includes(operationId) || path.startsWith('/verify') ? 2 : path.includes('{') ? 1 : 0;
};

describe('every request in the OpenAPI document can be sent unchanged to the service of npm start', () => {
  let service: SampleService;
  const ids = new Map<string, string>();

  before(async () => {
    service = await serveSampleCounty();
  });
  after(() => service.close());

  for (const listed of LISTED.toSorted((a, b) => inOrder(a) - inOrder(b))) {
    const { method, path, operation } = listed;
    test(`${method} ${path}`, async () => {
      if (path.includes('/results') || WAITING.includes(operation.operationId))
        await service.batchLoop.idle();
      const body = bodyOf(operation);
      const response = await fetch(`${service.url}${filled(path)}${queryOf(operation.parameters ?? [])}`, {
        method,
        headers: {
          'x-api-key': service.key,
          prefer: 'handling=strict',
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isLate = response.status === 409 && MAY_BE_LATE.includes(operation.operationId);
      assert.ok(response.ok || isLate, `${response.status} ${text}`);
      const type = response.headers.get('content-type') ?? '';
      assertAnswerPublished(operation, { status: response.status, type, text });
      if (type.startsWith('application/json')) note(path, JSON.parse(text));
      const [, verify] = /https:\/\/avm\.example\.com(\/verify[^"<\s]+)/.exec(text) ?? [];
      if (operation.operationId === 'readReport' && verify) ids.set('verify', verify);
    });
  }

  /**
   * The example in the document. Its webhook receiver does not exist, so the test's receiver replaces it.
   */
  function bodyOf(operation: Operation): unknown {
    const content = operation.requestBody?.content['application/json'];
    if (!content) return null;
    assert.ok(content.example, `${operation.operationId} has no request body example`);
    return JSON.parse(
      JSON.stringify(content.example, (name, value: unknown) =>
        (name === 'notify_url' || name === 'url') && value !== null ? `${service.url}/nowhere` : value,
      ),
    );
  }

  /** Ids from earlier examples replace the ids that a reader would have. */
  function filled(path: string): string {
    if (path.startsWith('/verify')) return ids.get('verify') ?? path;
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string, at: number) => {
      const id = ids.get(name === 'share_id' ? name : path.slice(0, at));
      assert.ok(id, `no example created the id in ${path}`);
      return id;
    });
  }

  function note(path: string, answer: unknown): void {
    if (!isRecord(answer)) return;
    const { share_id: shareId, path: link } = answer;
    if (typeof shareId === 'string') ids.set('share_id', shareId);
    if (typeof link === 'string') ids.set('/share/', link.slice('/share/'.length));
    const { valuation, challenge, job_id: jobId, delivery_id: deliveryId, models } = answer;
    const { endpoint_id: endpointId } = answer;
    if (isRecord(valuation) && path === '/v1/avm/property')
      ids.set('/v1/valuations/', String(valuation.valuation_id));
    if (isRecord(challenge)) ids.set('/v1/valuations/', String(challenge.valuation_id));
    if (typeof endpointId === 'string') ids.set('/v1/webhooks/endpoints/', endpointId);
    if (typeof answer.portfolio_id === 'string') ids.set('/v1/portfolios/', answer.portfolio_id);
    if (typeof answer.sweep_id === 'string') ids.set('/v1/sweeps/', answer.sweep_id);
    if (typeof jobId === 'string' && path === '/v1/avm/batch/property') ids.set('/v1/avm/batch/', jobId);
    if (typeof deliveryId === 'string') ids.set('/v1/webhooks/deliveries/', deliveryId);
    if (Array.isArray(models)) ids.set('/v1/models/', models[0].id);
  }
});

/**
 * The query as tools that import the document fill it in: all parameters, lists separated by commas, empty if
 * there is no example.
 */
function queryOf(parameters: readonly Parameter[]): string {
  const query = new URLSearchParams();
  for (const { name, in: where, example, content } of parameters) {
    if (where !== 'query') continue;
    assert.ok(example !== undefined || content, `the parameter ${name} has no example`);
    query.set(name, [example ?? ''].flat().join(','));
  }
  return query.size > 0 ? `?${query}` : '';
}
