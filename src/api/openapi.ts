import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import { statusOf, type ErrorCode } from '../errors.ts';
import { Problem, ValidationProblem } from '../schemas/problem.ts';
import { EVENTS } from '../schemas/events.ts';
import { DryRun } from '../schemas/property-response.ts';
import { exampleOf, flatExample } from './examples/examples.ts';
import { PARAMETER_EXAMPLES } from './examples/requests.ts';
import { isMap, isSection, keywordsOf, type ObjectSchema } from '../schemas/object-schema.ts';
import { isListOfObjects } from './request/query-form.ts';
import {
  CREDIT_HEADERS,
  HEADERS,
  JOB_HEADERS,
  problemHeaders,
  RATE_HEADERS,
  REQUEST_ID_HEADER,
} from './openapi-headers.ts';
import type { Route } from './route.ts';
import { isRecord } from '../domain/json.ts';

type Json = Record<string, unknown>;

/** Error responses that every route with a key can return. */
const KEYED_PROBLEMS: readonly ErrorCode[] = [
  'api_key_in_query',
  'missing_api_key',
  'malformed_api_key',
  'invalid_api_key',
  'plan_forbidden',
  'not_acceptable',
  'rate_limited',
  'internal_error',
  'unavailable',
  'deadline_exceeded',
];
const BODY_PROBLEMS: readonly ErrorCode[] = [
  'malformed_json',
  'json_too_deep',
  'json_too_many_keys',
  'payload_too_large',
  'unsupported_media_type',
];

const ABOUT = `Values property from the sales and public records that its operator loaded. Every value lists the
sources of its inputs and can be replayed.

**Keys.** Send \`X-API-Key\` with every request under \`/v1\`; never put a key in a URL.

**Errors.** A request that is JSON but not valid is a 422 that lists every error at once, each with its path
(\`loc\`). Every other error is a problem document (RFC 9457) whose \`code\` says what happened. Quote
\`request_id\` when you ask for help.

**Language models.** \`/llms.txt\` lists all operations and guides on one page.

**Changes.** Members may be added to responses at any time; nothing else changes within \`/v1\`.`;

/** The OpenAPI 3.1 document of these routes. It contains the same schemas that validate requests. */
export function buildOpenApi(routes: readonly Route[]): Json {
  const schemas: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = operationOf(route, schemas);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Plumbline', version: '1.0.0', summary: 'Property valuation', description: ABOUT },
    servers: [{ url: '/' }],
    externalDocs: { url: '/docs', description: 'Guides, errors, methods and operations.' },
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    webhooks: describeWebhooks(schemas),
    components: {
      schemas,
      headers: HEADERS,
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        MetricsToken: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operationOf(route: Route, schemas: Record<string, Json>): Json {
  const { access, body } = route;
  const parameters = [
    ...pathParameters(route.path),
    ...queryParameters(route, schemas),
    ...(route.startsJob ? [IDEMPOTENCY_KEY] : []),
    ...(isFree(route) ? [] : CHARGED_PARAMETERS),
  ];
  const operation = {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    security: access === 'public' ? [] : [access === 'metrics' ? { MetricsToken: [] } : { ApiKey: [] }],
    'x-credits': route.credits,
    parameters: parameters.length > 0 ? parameters : undefined,
    responses: responsesOf(route, schemas),
    requestBody: body && { required: true, content: jsonContent(body, schemas) },
    'x-scope': isKeyed(route) ? access : undefined,
  };
  return stripped(operation);
}

function jsonContent(schema: TSchema, schemas: Record<string, Json>): Json {
  return { 'application/json': stripped({ schema: referTo(schema, schemas), example: exampleOf(schema) }) };
}

function responsesOf(route: Route, schemas: Record<string, Json>): Json {
  const responses: Record<string, Json> = { [route.responseStatus ?? 200]: successOf(route, schemas) };
  if (route.startsJob) {
    responses['200'] = {
      description: 'For `X-Dry-Run: true`: the maximum cost.',
      headers: REQUEST_ID_HEADER,
      content: jsonContent(DryRun, schemas),
    };
  }
  for (const [status, codes] of problemsByStatus(route)) {
    responses[status] = stripped({
      description: `${STATUS_CODES[status] ?? 'Error'}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
      headers: problemHeaders(status, isKeyed(route)),
      content: { 'application/problem+json': { schema: referTo(Problem, schemas) } },
    });
  }
  if (route.body || route.query || route.startsJob) {
    const { content = {}, description } = responses['422'] ?? {};
    const invalid = 'The request is not valid; every error is listed.';
    responses['422'] = {
      description: description === undefined ? invalid : `${invalid} ${String(description)}`,
      headers: problemHeaders('422', isKeyed(route)),
      content: { ...jsonContent(ValidationProblem, schemas), ...Object(content) },
    };
  }
  for (const [status, description] of Object.entries(route.otherResponses ?? {})) {
    const success = successOf(route, schemas);
    const headers = { ...Object(success.headers), ...problemHeaders(status, false) };
    responses[status] = { ...success, headers, description };
  }
  return responses;
}

function successOf(route: Route, schemas: Record<string, Json>): Json {
  const { response, lines, otherTypes = [] } = route;
  const schema = response ? referTo(response, schemas) : { type: 'string' };
  const isCharged = !isFree(route) && !route.startsJob;
  return {
    description: isCharged ? 'The response; with `X-Dry-Run: true` only its cost.' : 'The response.',
    headers: {
      ...REQUEST_ID_HEADER,
      ...(route.startsJob ? JOB_HEADERS : {}),
      ...(isCharged ? CREDIT_HEADERS : {}),
      ...(isKeyed(route) ? RATE_HEADERS : {}),
    },
    content: {
      [route.responseType ?? 'application/json']: stripped({
        schema: isCharged ? { anyOf: [schema, referTo(DryRun, schemas)] } : schema,
        example: response ? exampleOf(response) : undefined,
      }),
      ...(lines ? { [lines.type]: { schema: referTo(lines.schema, schemas) } } : {}),
      ...Object.fromEntries(
        otherTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
      ),
    },
  };
}

function isKeyed({ access }: Route): boolean {
  return access !== 'public' && access !== 'metrics';
}

function isFree({ credits }: Route): boolean {
  return credits === '0';
}

function problemsByStatus(route: Route): [string, ErrorCode[]][] {
  const codes = new Set<ErrorCode>([
    ...(isKeyed(route) ? KEYED_PROBLEMS : []),
    ...(isFree(route) ? [] : (['quota_exceeded'] as const)),
    ...(route.body ? BODY_PROBLEMS : []),
    ...route.problems,
  ]);
  const byStatus = Map.groupBy(codes, (code) => String(statusOf(code)));
  return [...byStatus].sort(([a], [b]) => a.localeCompare(b));
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

/**
 * The flat form of a body: its own members and those of its sections. Members that are objects are left out.
 */
function queryParameters({ query }: Route, schemas: Record<string, Json>): Json[] {
  if (!query) return [];
  const body = keywordsOf(query);
  const examples = new Map(flatExample(exampleOf(query)));
  const parts = [...Object.values(body.properties ?? {}).filter(isSection), body];
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {})
      .filter(([, member]) => isMap(member) || ![member.type].flat().includes('object'))
      .flatMap(([name, member]) => {
        if (isListOfObjects(member)) return listParameters(name, member, schemas);
        if (isMap(member)) return [jsonParameter(name, member, 'Send JSON.', schemas)];
        const isRequired = part.required?.includes(name) ?? false;
        return [queryParameter(name, member, isRequired, examples.get(name) ?? PARAMETER_EXAMPLES[name])];
      }),
  );
}

function queryParameter(name: string, member: ObjectSchema, required: boolean, example: unknown): Json {
  const isList = [member.type].flat().includes('array');
  return stripped({
    name,
    in: 'query',
    required,
    description: describeMember(member),
    schema: withoutNull(member),
    // Lists may be repeated or separated by commas. The document shows commas, which are shorter.
    ...(isList ? { style: 'form', explode: false } : {}),
    example,
  });
}

function jsonParameter(name: string, member: ObjectSchema, how: string, schemas: Record<string, Json>): Json {
  return {
    name,
    in: 'query',
    required: false,
    description: `${describeMember(member)} ${how}`,
    content: { 'application/json': { schema: referTo(member, schemas) } },
  };
}

/** A list of objects is one JSON parameter, or one parameter for each member of its only entry. */
function listParameters(name: string, member: ObjectSchema, schemas: Record<string, Json>): Json[] {
  return [
    jsonParameter(
      name,
      member,
      'Send JSON; or, for a single entry, send its members as separate parameters.',
      schemas,
    ),
    ...Object.entries(member.items?.properties ?? {}).map(([flat, one]) =>
      queryParameter(flat, one, false, PARAMETER_EXAMPLES[flat]),
    ),
  ];
}

/** A query cannot express null. A missing or empty parameter means the same. */
function withoutNull(member: ObjectSchema): Json {
  const { description: _inParameter, 'x-aliases': _aliases, 'x-when-omitted': _omitted, ...schema } = member;
  const types = [member.type ?? []].flat().filter((type) => type !== 'null');
  const values = member.enum?.filter((value) => value !== null);
  return stripped({ ...schema, type: types[0], enum: values, default: member.default ?? undefined });
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'If the same request is sent again within 48 hours, it gets the same response and creates no second job.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const CHARGED_PARAMETERS: readonly Json[] = [
  {
    name: 'Prefer',
    in: 'header',
    description: '`handling=strict`: unknown members are errors, not warnings.',
    schema: { type: 'string' },
  },
  {
    name: 'X-Dry-Run',
    in: 'header',
    description: '`true`: validate the request and return its cost, without running or charging it.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
];

/** Standard Webhooks 1.0.0. */
const WEBHOOK_HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'Id of the event, the same for every attempt and redelivery.',
  'webhook-timestamp':
    'Time of this attempt, in seconds since 1970. Reject it if it differs by more than five minutes.',
  'webhook-signature':
    '`v1,` and the base64 of HMAC-SHA256 of `id.timestamp.body`; while a secret is being replaced, two signatures separated by a space.',
};

function describeWebhooks(schemas: Record<string, Json>): Json {
  const parameters = Object.entries(WEBHOOK_HEADERS).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  const responses = {
    '2XX': { description: 'Accepted: it is not sent again.' },
    '410': { description: 'Never send it again.' },
    default: {
      description:
        'Not accepted: sent again after 10, 60 and 360 s ± 20%, or later if `Retry-After` asks for up to an hour.',
    },
  };
  return Object.fromEntries(
    Object.entries(EVENTS).map(([type, [summary, body]]) => {
      const content = { 'application/json': { schema: referTo(body, schemas) } };
      const requestBody = { required: true, content };
      return [type, { post: { summary, tags: ['Webhooks'], parameters, requestBody, responses } }];
    }),
  );
}

/** A member's description with its aliases and its default. */
export function describeMember(member: ObjectSchema): string {
  const aliases = member['x-aliases'] ?? [];
  const omitted = member['x-when-omitted'];
  return [
    member.description,
    omitted ? `When omitted: ${omitted}.` : null,
    aliases.length > 0 ? `Also accepted as ${aliases.map((alias) => `\`${alias}\``).join(', ')}.` : null,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Schemas with a title are written once under components and referenced. */
function referTo(schema: object, schemas: Record<string, Json>): Json {
  const plain: unknown = JSON.parse(JSON.stringify(schema));
  return isRecord(plain) ? hoist(plain, schemas) : {};
}

function hoist(schema: Json, schemas: Record<string, Json>): Json {
  const { title } = schema;
  if (typeof title !== 'string') return hoistMembers(schema, schemas);
  if (!schemas[title]) {
    // Reserves the place, so that schemas are listed in the order in which they are first used.
    schemas[title] = {};
    schemas[title] = hoistMembers(schema, schemas);
  }
  return { $ref: `#/components/schemas/${title}` };
}

function hoistMembers(schema: Json, schemas: Record<string, Json>): Json {
  const copy: Json = { ...schema };
  const hoistAny = (part: unknown): unknown => (isRecord(part) ? hoist(part, schemas) : part);
  const description = describeMember(schema);
  if (description) copy.description = description;
  delete copy['x-when-omitted'];
  if (Array.isArray(copy['x-aliases']) && copy['x-aliases'].length === 0) delete copy['x-aliases'];
  if (isRecord(schema.properties)) {
    const members = Object.entries(schema.properties).map(([name, member]) => [name, hoistAny(member)]);
    copy.properties = Object.fromEntries(members);
  }
  for (const part of ['items', 'additionalProperties']) {
    if (part in schema) copy[part] = hoistAny(schema[part]);
  }
  if (Array.isArray(schema.anyOf)) copy.anyOf = schema.anyOf.map(hoistAny);
  return copy;
}

function stripped(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
