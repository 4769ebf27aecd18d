import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Scope } from '../accounts/scopes.ts';
import type { Caller, OperationDeps, Priced } from '../operations/deps.ts';
import type { ResponseOf } from '../schemas/member-names.ts';
import type { RequestReader } from './request/read-request.ts';
import type { Route } from './route.ts';

/** A charged operation: documentation, request, price and work in one place. */
export interface ChargedEndpoint<Request, Body extends TSchema> extends Pick<
  Route,
  'path' | 'operationId' | 'credits' | 'tag' | 'summary' | 'description' | 'problems'
> {
  /** The scope that a key needs. The operation is also charged under this name. */
  readonly access: Scope;
  /** Reads and validates the body or the query. */
  readonly reader: RequestReader<Request>;
  readonly response: Body;
  /** Checks that need data. They run after validation. */
  readonly check?: (deps: OperationDeps, request: Request, http: FastifyRequest) => Promise<void>;
  readonly creditsMax: (deps: OperationDeps, request: Request) => number | Promise<number>;
  readonly run: (
    deps: OperationDeps,
    request: Request,
    caller: Caller,
    http: FastifyRequest,
  ) => Promise<Priced<ResponseOf<Body>>>;
}
