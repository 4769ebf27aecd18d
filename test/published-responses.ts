import assert from 'node:assert/strict';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Document, Operation } from '../client/generate/document.ts';
import { buildOpenApi } from '../src/api/openapi.ts';
import { ROUTES } from '../src/api/routes.ts';

/** The OpenAPI document as its readers see it. */
export const DOCUMENT: Document = JSON.parse(JSON.stringify(buildOpenApi(ROUTES)));

interface Described {
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation: Operation;
}

const DESCRIBED: readonly Described[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    operation,
  })),
);

export const OPERATION_IDS: readonly string[] = DESCRIBED.map(({ operation }) => operation.operationId);

const ajv = new Ajv({ strict: false, validateFormats: false });
const checks = new Map<object, ValidateFunction>();

function checkOf(schema: object): ValidateFunction {
  const check = checks.get(schema) ?? ajv.compile({ ...schema, components: DOCUMENT.components });
  checks.set(schema, check);
  return check;
}

/** The documented operation of a request. Fails if there is none. */
export function operationOf(method: string, path: string): Operation {
  // Paths without parameters come first: /v1/avm/batch/property is not a job.
  const candidates = DESCRIBED.filter((one) => one.method === method && one.pattern.test(path));
  const [found] = candidates.sort((a, b) => a.pattern.source.length - b.pattern.source.length);
  assert.ok(found, `${method} ${path} is not in the OpenAPI document`);
  return found.operation;
}

/** Fails if the operation does not publish the status, media type or schema of a response. */
export function assertAnswerPublished(
  operation: Operation,
  answer: { readonly status: number; readonly type: string; readonly text: string },
): void {
  const content = operation.responses[answer.status]?.content;
  const shown = `${operation.operationId} ${answer.status} ${answer.text.slice(0, 500)}`;
  assert.ok(content, `not published: ${shown}`);
  const [mediaType = ''] = answer.type.split(';');
  const described = content[mediaType];
  assert.ok(described, `${mediaType} is not published: ${shown}`);
  const lines = mediaType === 'application/x-ndjson' ? answer.text.trim().split('\n') : [answer.text];
  for (const line of mediaType.includes('json') ? lines : []) {
    const check = checkOf(described.schema);
    assert.equal(check(JSON.parse(line)), true, `${JSON.stringify(check.errors)}: ${shown}`);
  }
}
