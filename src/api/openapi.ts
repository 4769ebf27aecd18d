import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import { ERROR_STATUS, type ErrorCode } from '../errors.ts';
import { EXAMPLES } from './examples/examples.ts';
import { PARAMETER_EXAMPLES } from './examples/requests.ts';
import { flatExample } from './examples/flat-example.ts';
import { isListOfObjects } from './request/query-form.ts';
import { isPlainObject, isSection, keywordsOf, type ObjectSchema } from './request/object-schema.ts';
import type { Route } from './route.ts';
import { describeWebhooks } from './webhook-events.ts';
import { DryRun } from '../schemas/property-response.ts';
import { Problem, ValidationProblem } from '../schemas/problem.ts';

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
const CHARGED_PROBLEMS: readonly ErrorCode[] = ['quota_exceeded'];
const BODY_PROBLEMS: readonly ErrorCode[] = [
  'malformed_json',
  'json_too_deep',
  'json_too_many_keys',
  'payload_too_large',
  'unsupported_media_type',
];

const ABOUT = `Values property from the sales and public records that its operator loaded. Every figure says what it
rests on and can be replayed.

**Keys.** Send \`X-API-Key\` with every request under \`/v1\`; never put a key in a URL.

**Errors.** A request that is JSON but not valid is a 422 that lists every error at once, each with its place
(\`loc\`). Every other error is a problem document (RFC 9457) whose \`code\` says what happened. Quote
\`request_id\` when you ask for help.

**Programs that read.** \`/llms.txt\` says in a page what there is.

**Changes.** Members may be added to answers at any time; nothing else changes within \`/v1\`.`;

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
    externalDocs: { url: '/docs', description: 'Guides, errors, methods and operating.' },
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    webhooks: describeWebhooks((schema) => referTo(schema, schemas)),
    components: {
      schemas,
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        MetricsToken: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operationOf(route: Route, schemas: Record<string, Json>): Json {
  const { access } = route;
  const parameters = [
    ...pathParameters(route.path),
    ...queryParameters(route, schemas),
    ...headerParameters(route),
  ];
  const operation: Json = {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [route.tag],
    security: access === 'public' ? [] : [access === 'metrics' ? { MetricsToken: [] } : { ApiKey: [] }],
    'x-credits': route.credits,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: responsesOf(route, schemas),
  };
  if (route.body) {
    const example = EXAMPLES[keywordsOf(route.body).title ?? ''];
    operation.requestBody = {
      required: true,
      content: {
        'application/json': { schema: referTo(route.body, schemas), ...(example ? { example } : {}) },
      },
    };
  }
  if (isKeyed(route)) operation['x-scope'] = access;
  return operation;
}

function responsesOf(route: Route, schemas: Record<string, Json>): Json {
  const responses: Record<string, Json> = { [route.responseStatus ?? 200]: successOf(route, schemas) };
  if (route.startsJob) {
    responses['200'] = {
      description: 'Of `X-Dry-Run: true`: the most that it can cost.',
      content: { 'application/json': { schema: referTo(DryRun, schemas), example: EXAMPLES.DryRun } },
    };
  }
  for (const [status, codes] of problemsByStatus(route)) {
    responses[status] = {
      description: `${STATUS_CODES[status] ?? 'Error'}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
      ...(status === '429' || status === '503' ? { headers: { 'Retry-After': SECONDS_HEADER } } : {}),
      content: { 'application/problem+json': { schema: referTo(Problem, schemas) } },
    };
  }
  if (route.body || route.query || route.startsJob) {
    const { content = {}, description } = responses['422'] ?? {};
    const invalid = 'The request is not valid; every error is listed.';
    responses['422'] = {
      description: description === undefined ? invalid : `${invalid} ${String(description)}`,
      content: {
        'application/json': {
          schema: referTo(ValidationProblem, schemas),
          example: EXAMPLES.ValidationProblem,
        },
        ...Object(content),
      },
    };
  }
  for (const [status, description] of Object.entries(route.otherResponses ?? {})) {
    responses[status] = { ...successOf(route, schemas), description };
  }
  return responses;
}

/** Sent if the plan has limits. */
const RATE_HEADERS: Json = {
  'RateLimit-Policy': {
    description: 'Every limit: requests `q` in `w` seconds.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Of every limit: requests left `r`, seconds `t` until it is whole again.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Of the nearest limit.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left of it.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Seconds until it is whole again.', schema: { type: 'integer' } },
};
const JOB_HEADERS: Json = {
  Location: { description: 'Where to read the job.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'Seconds until a first look at it is worth while.',
    schema: { type: 'integer' },
  },
  'Idempotent-Replayed': {
    description: '`true` where the same `Idempotency-Key` came before: the job is the one of then.',
    schema: { type: 'string' },
  },
};
const SECONDS_HEADER = { description: 'Seconds to wait.', schema: { type: 'integer' } };

function successOf(route: Route, schemas: Record<string, Json>): Json {
  const type = route.responseType ?? 'application/json';
  const response = route.response;
  const title = response ? (keywordsOf(response).title ?? '') : '';
  const schema = response ? referTo(response, schemas) : { type: 'string' };
  const isCharged = route.credits !== '0' && !route.startsJob;
  const headers: Json = {
    'X-Request-Id': { description: 'Names this request in the log.', schema: { type: 'string' } },
    ...(route.startsJob ? JOB_HEADERS : {}),
  };
  if (isCharged) {
    headers['X-Credits-Charged'] = { description: 'What it cost.', schema: { type: 'integer' } };
    headers['X-Credits-Remaining'] = {
      description: 'What is left of the month, where the plan has a cap.',
      schema: { type: 'integer' },
    };
  }
  if (isKeyed(route)) Object.assign(headers, RATE_HEADERS);
  return {
    description: isCharged ? 'The answer; with `X-Dry-Run: true` its cost only.' : 'The answer.',
    headers,
    content: {
      [type]: {
        schema: isCharged ? { anyOf: [schema, referTo(DryRun, schemas)] } : schema,
        ...(EXAMPLES[title] ? { example: EXAMPLES[title] } : {}),
      },
      ...(route.lines ? { [route.lines.type]: { schema: referTo(route.lines.schema, schemas) } } : {}),
    },
  };
}

function isKeyed({ access }: Route): boolean {
  return access !== 'public' && access !== 'metrics';
}

function problemsByStatus(route: Route): [string, ErrorCode[]][] {
  const codes = new Set<ErrorCode>([
    ...(isKeyed(route) ? KEYED_PROBLEMS : []),
    ...(route.credits === '0' ? [] : CHARGED_PROBLEMS),
    ...(route.body ? BODY_PROBLEMS : []),
    ...route.problems,
  ]);
  const byStatus = new Map<string, ErrorCode[]>();
  for (const code of codes) {
    const status = String(ERROR_STATUS[code]);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
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
function queryParameters(route: Route, schemas: Record<string, Json>): Json[] {
  if (!route.query) return [];
  const body = keywordsOf(route.query);
  const examples = new Map(flatExample(EXAMPLES[body.title ?? '']));
  const parts = [...Object.values(body.properties ?? {}).filter(isSection), body];
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {})
      .filter(([, member]) => ![member.type].flat().includes('object'))
      .flatMap(([name, member]) => {
        if (isListOfObjects(member)) return listParameters(name, member, schemas);
        const example = examples.get(name) ?? PARAMETER_EXAMPLES[name];
        return [
          stripped({ ...queryParameter(name, member, part.required?.includes(name) ?? false), example }),
        ];
      }),
  );
}

function queryParameter(name: string, member: ObjectSchema, required: boolean): Json {
  return {
    name,
    in: 'query',
    required,
    description: describeMember(member),
    schema: withoutNull(member),
    // Lists may be repeated or separated by commas. The document shows commas, which are shorter.
    ...([member.type].flat().includes('array') ? { style: 'form', explode: false } : {}),
  };
}

/** A list of objects as JSON, or the members of a single entry flat. */
function listParameters(name: string, member: ObjectSchema, schemas: Record<string, Json>): Json[] {
  const plain: unknown = JSON.parse(JSON.stringify(member));
  return [
    {
      name,
      in: 'query',
      required: false,
      description: `${describeMember(member)} JSON; one entry may be written flat instead.`,
      content: { 'application/json': { schema: isPlainObject(plain) ? hoist(plain, schemas) : {} } },
    },
    ...Object.entries(member.items?.properties ?? {}).map(([flat, one]) => ({
      ...queryParameter(flat, one, false),
      example: PARAMETER_EXAMPLES[flat],
    })),
  ];
}

/** A query cannot express null. A missing or empty parameter means the same. */
function withoutNull(member: ObjectSchema): Json {
  const { description: _inParameter, 'x-aliases': _aliases, 'x-when-omitted': _omitted, ...schema } = member;
  const types = [member.type ?? []].flat().filter((type) => type !== 'null');
  const values = member.enum?.filter((value) => value !== null);
  const fallback = member.default === null ? undefined : member.default;
  return stripped({ ...schema, type: types[0], enum: values, default: fallback });
}

function headerParameters(route: Route): Json[] {
  return [
    ...(route.startsJob ? [IDEMPOTENCY_KEY] : []),
    ...(route.credits === '0' ? [] : CHARGED_PARAMETERS),
  ];
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Sent again within 48 hours with the same body, the request is answered as the first time and makes no second job.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const CHARGED_PARAMETERS: readonly Json[] = [
  {
    name: 'Prefer',
    in: 'header',
    description: '`handling=strict`: members that are not known are errors, not warnings.',
    schema: { type: 'string' },
  },
  {
    name: 'X-Dry-Run',
    in: 'header',
    description: '`true`: validate and answer the cost, without valuing or charging.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
];

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
function referTo(schema: TSchema, schemas: Record<string, Json>): Json {
  const plain: unknown = JSON.parse(JSON.stringify(schema));
  return isPlainObject(plain) ? hoist(plain, schemas) : {};
}

function hoist(schema: Json, schemas: Record<string, Json>): Json {
  const { title } = schema;
  if (typeof title !== 'string') return hoistMembers(schema, schemas);
  const reference = { $ref: `#/components/schemas/${title}` };
  if (schemas[title]) return reference;
  schemas[title] = {};
  schemas[title] = hoistMembers(schema, schemas);
  return reference;
}

function hoistMembers(schema: Json, schemas: Record<string, Json>): Json {
  const copy: Json = { ...schema };
  const description = describeMember(schema);
  if (description) copy.description = description;
  delete copy['x-when-omitted'];
  if (Array.isArray(copy['x-aliases']) && copy['x-aliases'].length === 0) delete copy['x-aliases'];
  if (isPlainObject(schema.properties)) {
    const members = Object.entries(schema.properties).map(([name, member]) => [
      name,
      isPlainObject(member) ? hoist(member, schemas) : member,
    ]);
    copy.properties = Object.fromEntries(members);
  }
  for (const part of ['items', 'additionalProperties']) {
    const inner = schema[part];
    if (isPlainObject(inner)) copy[part] = hoist(inner, schemas);
  }
  if (Array.isArray(schema.anyOf)) {
    copy.anyOf = schema.anyOf.map((one: unknown) => (isPlainObject(one) ? hoist(one, schemas) : one));
  }
  return copy;
}

function stripped(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
