import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Scope } from '../accounts/scopes.ts';
import { PlumblineError } from '../errors.ts';
import type { Caller, OperationDeps, Priced } from '../operations/deps.ts';
import { toSnakeCase, type ResponseOf } from '../schemas/member-names.ts';
import { readRequest, type RequestReader } from './request/read-request.ts';
import { admittedCaller, isDryRun } from './request-context.ts';
import type { ApiDeps, Handle, Operation } from './route.ts';

/** A charged operation: documentation, request, price and work in one place. */
interface ChargedEndpoint<Request, Body extends TSchema> extends Pick<
  Operation,
  'path' | 'operationId' | 'credits' | 'summary' | 'description' | 'problems' | 'responseTimeoutMs'
> {
  /** The scope that a key needs. The operation is also charged under this name. */
  readonly access: Scope;
  /** Reads and validates the body or the query. */
  readonly reader: RequestReader<Request>;
  /** Reads the requests of the console, if they may omit members that the API requires. */
  readonly consoleReader?: RequestReader<Request>;
  readonly response: Body;
  /** Checks that need data. They run after validation. */
  readonly check?: (deps: OperationDeps, request: Request, httpRequest: FastifyRequest) => Promise<void>;
  readonly creditsMax: (deps: OperationDeps, request: Request, caller: Caller) => number | Promise<number>;
  readonly run: (
    deps: OperationDeps,
    request: Request,
    caller: Caller,
    httpRequest: FastifyRequest,
  ) => Promise<Priced<ResponseOf<Body>>>;
}

/** The POST form of a charged operation. */
export function chargedPost<Request, Body extends TSchema>(
  endpoint: ChargedEndpoint<Request, Body>,
): Operation {
  const { reader, consoleReader, check, creditsMax, run, ...documented } = endpoint;
  const handleWith =
    (requestReader: RequestReader<Request>): Handle =>
    async (deps, httpRequest, reply) => {
      const { operations } = deps;
      const request = readRequest(deps, httpRequest, reply, requestReader);
      await check?.(operations, request, httpRequest);
      const { accountId, keyId, plan } = admittedCaller(httpRequest);
      const readCreditsMax = () => creditsMax(operations, request, { accountId, keyId });
      if (isDryRun(httpRequest)) return { dry_run: true, credits_max: await readCreditsMax() };
      const { result, charged, remaining } = await reportingCredits(
        reply,
        deps.runCharged(
          { accountId, keyId, plan },
          {
            operation: endpoint.access,
            creditsMax: readCreditsMax,
            run: (takeCharge) => run(operations, request, { accountId, keyId, takeCharge }, httpRequest),
            // The handler's deadline has passed and a 504 was sent.
            isLate: () => reply.sent,
          },
        ),
      );
      httpRequest.creditsCharged = charged;
      reply.header('x-credits-charged', charged);
      if (remaining !== null) reply.header('x-credits-remaining', remaining);
      return toSnakeCase(result.response);
    };
  return {
    ...documented,
    method: 'POST',
    body: reader.schema,
    handle: handleWith(reader),
    ...(consoleReader ? { inConsole: { handle: handleWith(consoleReader) } } : {}),
  };
}

/** If there are too few credits, the response reports how many are left this month. */
export async function reportingCredits<Result>(reply: FastifyReply, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const left = error instanceof PlumblineError ? error.members.credits_remaining : undefined;
    if (left !== undefined) reply.header('x-credits-remaining', left);
    throw error;
  }
}

/** The POST form, and a GET whose query has the members of the body. */
export function chargedPostAndGet<Request, Body extends TSchema>({
  queryNote,
  queryReader,
  ...endpoint
}: ChargedEndpoint<Request, Body> & {
  /** How the query differs from the body, apart from being flat. */
  readonly queryNote?: string;
  /** Of a query that lacks members of the body. */
  readonly queryReader?: RequestReader<Request>;
}): Operation[] {
  const post = chargedPost(endpoint);
  const { body: query, ...shared } = queryReader ? chargedPost({ ...endpoint, reader: queryReader }) : post;
  const description = 'The same as the POST, with its members in a flat query.';
  const get: Operation = {
    ...shared,
    method: 'GET',
    query,
    operationId: `${post.operationId}ByQuery`,
    summary: `${post.summary}, by query`,
    description: queryNote ? `${description} ${queryNote}` : description,
  };
  return [post, get];
}

/** A request of a free operation. */
interface FreeRequest<Request> {
  readonly deps: ApiDeps;
  readonly operations: OperationDeps;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Reads the query or body by the operation's reader; throws a ValidationError with every error. */
  readonly read: () => Request;
}

interface FreeEndpoint<Request, Body extends TSchema>
  extends
    Pick<Operation, 'summary' | 'description' | 'body' | 'bodyLimits' | 'responseStatus' | 'otherResponses'>,
    Partial<Pick<Operation, 'problems'>> {
  /** Reads the query of a GET or the body of a POST; without one, `read` must not be called. */
  readonly reader?: RequestReader<Request>;
  readonly response: Body;
  readonly handle: (http: FreeRequest<Request>) => Promise<ResponseOf<Body>>;
}

/** Declares operations of one method that are free and return JSON. */
function freeRoute(method: Operation['method']) {
  return <Request, Body extends TSchema>(
    path: string,
    operationId: string,
    access: Operation['access'],
    { reader, handle, ...documented }: FreeEndpoint<Request, Body>,
  ): Operation => ({
    problems: [],
    ...documented,
    ...(reader && (method === 'GET' ? { query: reader.schema } : { body: reader.schema })),
    method,
    path,
    operationId,
    access,
    credits: '0',
    handle: async (deps, request, reply) => {
      const read = () => readRequest(deps, request, reply, readerOf(reader));
      const { operations } = deps;
      return toSnakeCase(await handle({ deps, operations, request, reply, read }));
    },
  });
}

function readerOf<Request>(reader: RequestReader<Request> | undefined): RequestReader<Request> {
  if (reader) return reader;
  throw new PlumblineError('internal_error', 'this operation has no reader');
}

export const freeGet = freeRoute('GET');
export const freePost = freeRoute('POST');
export const freeDelete = freeRoute('DELETE');
