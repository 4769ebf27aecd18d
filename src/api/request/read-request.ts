import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { dayOfInstant, type Day } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import type { ApiDeps } from '../route.ts';
import { isSection, keywordsOf } from '../../schemas/object-schema.ts';
import { readQueryForm } from './query-form.ts';
import { createValidator, textErrors, type Locator, type Validated } from './validate.ts';
import { ERRORS_SHOWN, ValidationError, type FieldError } from './validation-error.ts';
import { isRecord } from '../../domain/json.ts';

/** How a request is read: the current day, and whether unknown members are an error. */
export interface Reading {
  readonly today: Day;
  readonly isStrict: boolean;
}

/** A request before validation, under canonical names. Members may be missing or of any type. */
export type Section = Readonly<Record<string, unknown>>;
export type ErrorAt = Validated<unknown>['errorAt'];
type Path = readonly (string | number)[];

export interface RequestRules<S extends TSchema, Request> {
  readonly schema: S;
  /** A member whose entries are read by their own rules. */
  readonly readElsewhere?: string;
  /**
   * Rules that the schema cannot express. They check presence only: a value of the wrong type has already
   * been reported.
   */
  readonly check?: (request: Section, errorAt: ErrorAt, reading: Reading) => readonly FieldError[];
  /** Builds the request of the operation. `warnings` name the unknown members. */
  readonly build: (value: Static<S>, reading: Reading, warnings: readonly Warning[]) => Request;
}

/** Reads both forms of a request. Each throws a ValidationError with every error. */
export interface RequestReader<Request> {
  readonly schema: TSchema;
  readonly body: (raw: unknown, reading: Reading) => Request;
  /** Reads a flat query into the same request as the equivalent POST. */
  readonly query: (query: Readonly<Record<string, unknown>>, reading: Reading) => Request;
}

/** Reads the body of a POST or the query of a GET into the request of the operation. */
export function readRequest<Request>(
  deps: Pick<ApiDeps, 'clock'>,
  request: FastifyRequest,
  reply: FastifyReply,
  reader: RequestReader<Request>,
): Request {
  const reading = readingOf(deps, request, reply);
  if (request.method === 'POST') return reader.body(request.body, reading);
  return reader.query(isRecord(request.query) ? request.query : {}, reading);
}

/** `Prefer: handling=strict` (RFC 7240) makes unknown members errors. The response confirms it. */
export function readingOf(
  { clock }: Pick<ApiDeps, 'clock'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Reading {
  const prefer = [request.headers.prefer ?? []].flat().join(',');
  const isStrict = prefer.split(/[,;]/).some((part) => /^\s*handling\s*=\s*"?strict"?\s*$/i.test(part));
  if (isStrict) reply.header('preference-applied', 'handling=strict');
  return { today: dayOfInstant(clock()), isStrict };
}

export const inBody: Locator = (path) => ['body', ...path];

/** The request, or every error in it. */
type Read<Request> =
  | { readonly request: Request; readonly errors: readonly [] }
  | { readonly request: null; readonly errors: readonly FieldError[] };

/** Reads JSON at any place in a body. */
export type PartReader<Request> = (raw: unknown, locate: Locator, reading: Reading) => Read<Request>;

export function createPartReader<S extends TSchema, Request>(
  rules: RequestRules<S, Request>,
): PartReader<Request> {
  const validate = createValidator(rules.schema, rules.readElsewhere);
  return (raw, locate, reading) => {
    const validated = validate(raw, locate);
    return finish(rules, validated, validated.errors, validated.unknown.map(locate), reading);
  };
}

export function createRequestReader<S extends TSchema, Request>(
  rules: RequestRules<S, Request>,
): RequestReader<Request> {
  const validate = createValidator(rules.schema);
  const readPart = createPartReader(rules);
  const keywords = keywordsOf(rules.schema);
  /**
   * Error locations of a query. The query is flat, so section names are left out, and a missing location is
   * reported as a missing address.
   */
  const inQuery =
    (flatList: string | null): Locator =>
    ([first, ...rest]) => {
      if (!isSection(keywords.properties?.[String(first)])) return ['query', first, ...rest];
      // If a list's single entry was written flat, the location has neither the list nor its index.
      if (rest.length > 2 && rest[0] === flatList) return ['query', ...rest.slice(2)];
      return ['query', ...(rest.length > 0 ? rest : ['address'])];
    };

  return {
    schema: rules.schema,
    body: (raw, reading) => requestOf(readPart(raw, inBody, reading)),
    query(query, reading) {
      const form = readQueryForm(keywords, query);
      const locate = inQuery(form.flatList);
      const validated = validate(form.body, locate);
      const repeated = new Set(form.errors.map((error) => error.loc.join('/')));
      const others = validated.errors.filter((error) => !repeated.has(error.loc.join('/')));
      const unnamed = Object.fromEntries(form.unknown.map((name) => [name, query[name]]));
      const badText = textErrors(unnamed, (path) => ['query', ...path]);
      const unknown = [...form.unknown.map((name) => ['query', name]), ...validated.unknown.map(locate)];
      return requestOf(finish(rules, validated, [...form.errors, ...others, ...badText], unknown, reading));
    },
  };
}

function finish<S extends TSchema, Request>(
  rules: RequestRules<S, Request>,
  { value, canonical, errorAt }: Validated<Static<S>>,
  shapeErrors: readonly FieldError[],
  unknown: readonly Path[],
  reading: Reading,
): Read<Request> {
  const errors = [...shapeErrors];
  if (reading.isStrict) errors.push(...unknown.slice(0, ERRORS_SHOWN).map(unknownMemberError));
  if (rules.check && isRecord(canonical)) errors.push(...rules.check(canonical, errorAt, reading));
  if (value === null || errors.length > 0) return { request: null, errors };
  const warnings = unknownMemberWarnings(unknown.map((loc) => String(loc.at(-1))));
  return { request: rules.build(value, reading, warnings), errors: [] };
}

function requestOf<Request>(read: Read<Request>): Request {
  if (read.request === null) throw new ValidationError(read.errors);
  return read.request;
}

function unknownMemberError(loc: Path): FieldError {
  return { loc, msg: 'is not a member of this request', type: 'unknown_member', input: null, ctx: {} };
}

/** A request can have thousands of unknown members. Only this many are named. */
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 100;

/** Named by the last part of their path, so that a GET gives the same warning as the equivalent POST. */
function unknownMemberWarnings(names: readonly string[]): Warning[] {
  const code = 'unknown_member';
  const warnings: Warning[] = names.slice(0, MAX_NAMED).map((name) => {
    const field = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
    return { code, field, message: `"${field}" is not a member of this request and was ignored.` };
  });
  const unnamed = names.length - warnings.length;
  if (unnamed > 0) {
    const message = `${unnamed} more members are not known and were ignored.`;
    warnings.push({ code, field: null, message });
  }
  return warnings;
}
