import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Right } from '../../accounts/roles.ts';
import type { Scope } from '../../accounts/scopes.ts';
import type { Session } from '../../accounts/sessions.ts';
import { PlumblineError } from '../../errors.ts';
import { type ResponseOf, toSnakeCase } from '../../schemas/member-names.ts';
import type { Store } from '../../store/store.ts';
import { admittedSession } from '../request-context.ts';
import { createRequestReader, readRequest } from '../request/read-request.ts';
import { ValidationError } from '../request/validation-error.ts';
import type { ApiDeps, Handle, ServedRoute } from '../route.ts';

/** A route of the console. It has the form of the API's routes, but a session authorizes it. */
export interface ConsoleRoute extends ServedRoute {
  /** The right of a role, or the scope of an API operation; `anyone` needs no session. */
  readonly access: Right | Scope | 'anyone';
  /** Counts against the rate limits of the plan. Reads do not, because pages poll. */
  readonly isLimited?: boolean;
  /** The identity provider sends the browser to it, so the request comes from another site. */
  readonly fromOtherSites?: true;
  /** The body is bytes (application/octet-stream), not JSON. */
  readonly takesBytes?: true;
}

/** An authorized request. */
export interface ConsoleRequest<Input> {
  readonly deps: ApiDeps;
  readonly store: Store;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Throws on a route that needs no session. */
  readonly session: Session;
  /** Reads the body or query by the route's schema; throws a ValidationError with every error. */
  readonly read: () => Input;
}

type RouteOptions = Pick<
  ConsoleRoute,
  'isLimited' | 'fromOtherSites' | 'takesBytes' | 'bodyLimits' | 'responseTimeoutMs'
>;

interface JsonRoute<Input extends TSchema, Response extends TSchema> extends RouteOptions {
  /** The schema of the query of a GET or the body of a POST. */
  readonly input?: Input;
  /** The body contains a password. Errors of other routes repeat the input; errors of this one must not. */
  readonly hasPassword?: boolean;
  readonly response: Response;
  readonly handle: (http: ConsoleRequest<Static<Input>>) => Promise<ResponseOf<Response>>;
}

export function get<Input extends TSchema, Response extends TSchema>(
  path: string,
  operationId: string,
  access: ConsoleRoute['access'],
  { input, handle, ...route }: JsonRoute<Input, Response>,
): ConsoleRoute {
  const query = input && { query: input };
  const jsonHandler = jsonHandle(input, false, handle);
  return { ...route, ...query, method: 'GET', path, operationId, access, handle: jsonHandler };
}

export function post<Input extends TSchema, Response extends TSchema>(
  path: string,
  operationId: string,
  access: ConsoleRoute['access'],
  { input, hasPassword = false, handle, ...route }: JsonRoute<Input, Response>,
): ConsoleRoute {
  const body = input && { body: input };
  const jsonHandler = jsonHandle(input, hasPassword, handle);
  return { ...route, ...body, method: 'POST', path, operationId, access, handle: jsonHandler };
}

/** A GET route whose handler sends a file. */
export function getFile<Input extends TSchema>(
  path: string,
  operationId: string,
  access: ConsoleRoute['access'],
  {
    input,
    handle,
    ...route
  }: RouteOptions & {
    readonly responseType: string;
    /** The schema of the query. */
    readonly input?: Input;
    readonly handle: (http: ConsoleRequest<Static<Input>>) => Promise<FastifyReply>;
  },
): ConsoleRoute {
  const query = input && { query: input };
  const read = inputReader(input, false);
  const fileHandler: Handle = (...http) => handle(consoleRequest(http, () => read(http)));
  return {
    ...route,
    ...query,
    method: 'GET',
    path,
    operationId,
    access,
    response: null,
    handle: fileHandler,
  };
}

function jsonHandle<Input extends TSchema>(
  schema: Input | undefined,
  hasPassword: boolean,
  handle: (http: ConsoleRequest<Static<Input>>) => Promise<unknown>,
): Handle {
  const read = inputReader(schema, hasPassword);
  return async (...http) => toSnakeCase(await handle(consoleRequest(http, () => read(http))));
}

function inputReader<Input extends TSchema>(
  schema: Input | undefined,
  hasPassword: boolean,
): (http: Parameters<Handle>) => Static<Input> {
  const reader = schema && createRequestReader({ schema, build: (value) => value });
  return (http) => {
    if (!reader) throw new PlumblineError('internal_error', 'this route has no schema to read by');
    return hasPassword ? withoutInput(() => readRequest(...http, reader)) : readRequest(...http, reader);
  };
}

function consoleRequest<Input>(
  [deps, request, reply]: Parameters<Handle>,
  read: () => Input,
): ConsoleRequest<Input> {
  return {
    deps,
    store: deps.people.store,
    request,
    reply,
    get session() {
      return admittedSession(request);
    },
    read,
  };
}

/** Runs `read`, and removes from its errors what was sent. */
function withoutInput<Input>(read: () => Input): Input {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError(error.errors.map((each) => ({ ...each, input: null })));
  }
}
