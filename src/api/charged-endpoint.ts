import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Scope } from '../accounts/scopes.ts';
import type { Caller, OperationDeps, Priced } from '../operations/deps.ts';
import type { ResponseOf } from '../schemas/member-names.ts';
import type { RequestReader } from './request/read-request.ts';
import type { Route } from './route.ts';

/** An operation that is charged: documentation, request, price and work in one place. */
export interface ChargedEndpoint<Request, Body extends TSchema> extends Pick<
  Route,
  'path' | 'operationId' | 'credits' | 'tag' | 'summary' | 'description' | 'problems'
> {
  /** The scope that a key needs, under which the operation is charged too. */
  readonly access: Scope;
  /** Reads and validates the body or the query. */
  readonly reader: RequestReader<Request>;
  readonly response: Body;
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
