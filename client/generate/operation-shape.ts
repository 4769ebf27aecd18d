import type { Content, Document, Operation, Parameter, Schema } from './document.ts';
import { nameOf, typeOf } from './types.ts';

/** One operation as the client offers it. */
export interface Shape {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly pathNames: readonly string[];
  readonly query: readonly Parameter[];
  readonly queryType: string | null;
  readonly bodyType: string | null;
  readonly responseType: string;
  /** The type of the response to `X-Dry-Run`. Null if the operation is free. */
  readonly dryRunType: string | null;
  /** Media types of files that the operation returns instead of JSON or text. */
  readonly fileTypes: readonly string[];
  readonly lineType: string | null;
  readonly pages: Pages | null;
  readonly startsJob: boolean;
  readonly key: 'api' | 'metrics' | 'none';
}

/** Where the list and the next cursor are in a response, and where the cursor goes in a request. */
export interface Pages {
  readonly items: string;
  readonly itemType: string;
  readonly cursor: string;
  readonly input: 'query' | 'body';
}

const LINES = 'application/x-ndjson';

export function shapesOf(document: Document): Shape[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => shapeOf(document, path, method, operation)),
  );
}

function shapeOf(document: Document, path: string, method: string, operation: Operation): Shape {
  const parameters = operation.parameters ?? [];
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const body = jsonOf(operation.requestBody?.content);
  const content = (operation.responses['202'] ?? operation.responses['200'])?.content ?? {};
  const [response, dryRun] = splitDryRun(jsonOf(content));
  const lines = content[LINES]?.schema;
  const isFile = Object.values(content).some(({ schema }) => schema.format === 'binary');
  const fileTypes = isFile ? Object.keys(content) : [];
  const { operationId } = operation;
  return {
    operation,
    method: method.toUpperCase(),
    path,
    pathNames: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    query,
    queryType: query.length > 0 ? `${capital(operationId)}Query` : null,
    bodyType: body ? typeOf(body) : null,
    responseType: response ? typeOf(response) : fileTypes.length > 0 ? 'Blob' : 'string',
    fileTypes,
    dryRunType: headers.includes('X-Dry-Run') ? (dryRun ?? 'DryRun') : null,
    lineType: lines ? typeOf(lines) : null,
    pages: response ? pagesOf(document, response, query, body) : null,
    startsJob: headers.includes('Idempotency-Key'),
    key: keyOf(operation),
  };
}

function jsonOf(content: Content | undefined): Schema | null {
  return content?.['application/json']?.schema ?? null;
}

/** A paid operation returns either its response or its cost. */
function splitDryRun(schema: Schema | null): [Schema | null, string | null] {
  const [first, second] = schema?.anyOf ?? [];
  if (!first || !second?.$ref || nameOf(second.$ref) !== 'DryRun') return [schema, null];
  return [first, 'DryRun'];
}

function pagesOf(
  document: Document,
  response: Schema,
  query: readonly Parameter[],
  body: Schema | null,
): Pages | null {
  const input = query.some(({ name }) => name === 'cursor')
    ? 'query'
    : body && resolve(document, body).properties?.cursor
      ? 'body'
      : null;
  const { properties = {} } = resolve(document, response);
  const meta = properties.meta ? resolve(document, properties.meta) : null;
  const cursor = properties.next_cursor
    ? 'next_cursor'
    : meta?.properties?.next_cursor
      ? 'meta.next_cursor'
      : null;
  const [items, list] = Object.entries(properties).find(([, member]) => member.type === 'array') ?? [];
  if (!input || !cursor || !items || !list?.items) return null;
  return { items, itemType: typeOf(list.items), cursor, input };
}

function resolve(document: Document, schema: Schema): Schema {
  return schema.$ref ? (document.components.schemas[nameOf(schema.$ref)] ?? {}) : schema;
}

function keyOf({ security }: Operation): Shape['key'] {
  const [scheme = {}] = security;
  return 'ApiKey' in scheme ? 'api' : 'MetricsToken' in scheme ? 'metrics' : 'none';
}

export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
