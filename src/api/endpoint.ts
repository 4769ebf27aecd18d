import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Scope } from '../accounts/scopes.ts';
import type { Caller, OperationDeps, Priced } from '../operations/deps.ts';
import { toSnakeCase, type ResponseOf } from '../schemas/member-names.ts';
import { charge } from './charge.ts';
import { isDryRun, readAsked } from './request/read-http-request.ts';
import type { RequestReader } from './request/read-request.ts';
import type { ApiDeps, Route } from './route.ts';

/** An operation that is charged: documentation, request, price and work in one place. */
export interface ChargedEndpoint<Request, Body extends TSchema> extends Pick<
  Route,
  'path' | 'operationId' | 'credits' | 'tag' | 'summary' | 'description' | 'problems'
> {
  /** The scope that a key needs, under which the operation is charged too. */
  readonly access: Scope;
  /** Reads and validates the body or the query. */
  readonly reader: RequestReader<Request>;
  readonly answer: Body;
  /** Checks that need data, after the request was validated. */
  readonly check?: (deps: OperationDeps, request: Request, http: FastifyRequest) => Promise<void>;
  readonly creditsMax: (deps: OperationDeps, request: Request) => number | Promise<number>;
  readonly run: (
    deps: OperationDeps,
    request: Request,
    caller: Caller,
    http: FastifyRequest,
  ) => Promise<Priced<ResponseOf<Body>>>;
}

/** The POST form. The steps after the body was parsed: validate, check, dry run or charge and run, serialize. */
export function chargedPost<Request, Body extends TSchema>(endpoint: ChargedEndpoint<Request, Body>): Route {
  const { reader, check, creditsMax, run, access, ...documented } = endpoint;
  return {
    ...documented,
    access,
    method: 'POST',
    body: reader.schema,
    async handle(deps, http, reply) {
      const { operations } = deps;
      const request = readAsked(deps, http, reply, reader);
      await check?.(operations, request, http);
      if (isDryRun(http)) return { dry_run: true, credits_max: await creditsMax(operations, request) };
      const response = await charge(deps, http, reply, {
        operation: access,
        creditsMax: () => creditsMax(operations, request),
        run: (caller) => run(operations, request, caller, http),
      });
      return toSnakeCase(response);
    },
  };
}

/** The POST form, and the same as a GET whose query holds the members of the body. */
export function chargedPostAndGet<Request, Body extends TSchema>(
  endpoint: ChargedEndpoint<Request, Body> & {
    /** How the query differs from the body, beyond being flat. */
    readonly queryNote?: string;
  },
): Route[] {
  const { queryNote, ...charged } = endpoint;
  const post = chargedPost(charged);
  const { body: query, ...shared } = post;
  const get: Route = {
    ...shared,
    method: 'GET',
    query,
    operationId: `${post.operationId}ByQuery`,
    summary: `${post.summary}, by query`,
    description: ['The same as the POST, with its members in a flat query.', queryNote]
      .filter(Boolean)
      .join(' '),
  };
  return [post, get];
}

/** An operation that costs nothing and answers JSON. */
export function freeRoute<Body extends TSchema>(
  route: Omit<Route, 'answer' | 'credits' | 'handle' | 'problems'> &
    Partial<Pick<Route, 'problems'>> & {
      readonly answer: Body;
      readonly handle: (
        deps: ApiDeps,
        request: FastifyRequest,
        reply: FastifyReply,
      ) => Promise<ResponseOf<Body>>;
    },
): Route {
  return {
    problems: [],
    ...route,
    credits: '0',
    handle: async (deps, request, reply) => toSnakeCase(await route.handle(deps, request, reply)),
  };
}

/** Problems of a valuation: the subject cannot be located, or there is too little data. */
export const VALUATION_PROBLEMS: Route['problems'] = [
  'address_not_found',
  'outside_coverage',
  'insufficient_data',
];
