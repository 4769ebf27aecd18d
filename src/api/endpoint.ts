import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { toSnakeCase, type ResponseOf } from '../schemas/member-names.ts';
import type { ChargedEndpoint } from './charged-endpoint.ts';
import { chargedHandle } from './pipeline.ts';
import type { ApiDeps, Route } from './route.ts';

/** The POST form. */
export function chargedPost<Request, Body extends TSchema>(endpoint: ChargedEndpoint<Request, Body>): Route {
  const { reader, check: _check, creditsMax: _creditsMax, run: _run, ...documented } = endpoint;
  return {
    ...documented,
    method: 'POST',
    body: reader.schema,
    handle: chargedHandle(endpoint),
  };
}

/** The POST form, and a GET whose query holds the members of the body. */
export function chargedPostAndGet<Request, Body extends TSchema>(
  endpoint: ChargedEndpoint<Request, Body> & {
    /** How the query differs from the body, apart from being flat. */
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

/** An operation that is free and returns JSON. */
export function freeRoute<Body extends TSchema>(
  route: Omit<Route, 'response' | 'credits' | 'handle' | 'problems'> &
    Partial<Pick<Route, 'problems'>> & {
      readonly response: Body;
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
