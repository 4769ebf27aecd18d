import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlumblineError, type ErrorCode } from '../errors.ts';
import { toSnakeCase } from '../schemas/member-names.ts';
import { ValidationError } from './request/validation-error.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** The `Retry-After` of errors that do not set their own. */
const RETRY_AFTER_SECONDS: Readonly<Partial<Record<ErrorCode, number>>> = {
  unavailable: 2,
  deadline_exceeded: 2,
  rate_limited: 60,
};

/** A 401 must name the authentication scheme (RFC 9110 §15.5.2). */
const CHALLENGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  missing_api_key: 'ApiKey realm="plumbline", header="X-API-Key"',
  not_signed_in: 'Session realm="plumbline console"',
  sign_in_refused: 'Session realm="plumbline console"',
};

/**
 * Maps fastify's own errors to our closed list of codes. Any other fastify error with a 4xx status becomes a
 * `bad_request`.
 */
const FRAMEWORK_ERRORS: Readonly<Record<string, [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is larger than this operation accepts.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'Send the body as JSON, with Content-Type: application/json.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'bad_request',
    'The length of the body does not match Content-Length.',
  ],
  FST_ERR_BAD_URL: ['bad_request', 'The path is not a valid URL path.'],
  FST_ERR_HANDLER_TIMEOUT: ['deadline_exceeded', 'The response took too long. Try again later.'],
};

/** The only place where an error becomes a response. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ValidationError) {
    const title = STATUS_CODES[422];
    const standard = { code: 'validation_error', title, status: 422, request_id: request.id };
    return reply
      .code(422)
      .type(JSON_TYPE)
      .serializer(JSON.stringify)
      .send({ detail: error.errors, ...standard });
  }
  const problem =
    error instanceof PlumblineError ? error : (fromClient(error, request) ?? fromFramework(error));
  if (problem === null || problem.code === 'usage' || problem.code === 'internal_error') {
    request.log.error({ err: error, requestId: request.id }, 'unexpected error');
    const detail = 'The service failed. Report the request id to its operator.';
    return sendProblem(new PlumblineError('internal_error', detail), request, reply);
  }
  if (problem.status >= 500) request.log.error({ err: error, requestId: request.id }, problem.message);
  return sendProblem(withoutCause(problem), request, reply);
}

/** Hides the cause of an `unavailable`: it can name a file or the database's host. The log has it. */
function withoutCause(problem: PlumblineError): PlumblineError {
  if (problem.code !== 'unavailable' || problem.cause === undefined) return problem;
  return new PlumblineError(
    'unavailable',
    'A part of the service is not available now. Try again in a moment.',
    { members: problem.members },
  );
}

/**
 * If a client disconnects before its whole body has arrived, this is not an error of the service. Nobody
 * reads the response.
 */
function fromClient(error: unknown, { raw }: FastifyRequest): PlumblineError | null {
  if (raw.complete || !(error instanceof Error) || error !== raw.errored) return null;
  return new PlumblineError('bad_request', 'The connection was closed before the whole body had arrived.');
}

function fromFramework(error: unknown): PlumblineError | null {
  if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('FST_')) return null;
  const known = FRAMEWORK_ERRORS[String(error.code)];
  if (known) return new PlumblineError(known[0], known[1], { cause: error });
  const isCallers = 'statusCode' in error && Number(error.statusCode) < 500;
  return isCallers
    ? new PlumblineError('bad_request', 'The request cannot be read.', { cause: error })
    : null;
}

/** Sends a problem document and logs nothing. */
export function sendProblem(
  problem: PlumblineError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, code } = problem;
  drainBody(request, reply);
  const retryAfter = problem.members.retry_after ?? RETRY_AFTER_SECONDS[code];
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  if (status === 401 && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', CHALLENGES[code] ?? CHALLENGES.missing_api_key);
  }
  const standard = {
    type: `/docs#error-${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: problem.message,
    code,
    // The path alone, because a query string may hold an address.
    instance: pathOf(request.url),
    request_id: request.id,
  };
  // The standard members are written twice: first, so that they come first in the text, and last, so that no
  // member of an error replaces them.
  const body = { ...standard, ...Object(toSnakeCase(problem.members)), ...standard };
  return reply.code(status).type(PROBLEM_TYPE).serializer(JSON.stringify).send(body);
}

/** A URL without its query string, cut to the maximum length of our paths. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return (end < 0 ? url : url.slice(0, end)).slice(0, 200);
}

/**
 * Bytes that are not HTTP never become a request. The response goes to the bare socket, which is then closed. It has
 * the members and headers of every problem document; `instance` is empty because no path was read.
 */
export function sendClientError(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const status = CLIENT_ERROR_STATUS[error.code ?? ''] ?? 400;
  const title = STATUS_CODES[status] ?? 'Error';
  const detail = 'The request is not valid HTTP.';
  const [type, code] = ['/docs#error-bad_request', 'bad_request'];
  const body = JSON.stringify({ type, title, status, detail, code, instance: '', request_id: requestId });
  const headers = {
    ...SECURITY_HEADERS,
    'x-request-id': requestId,
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`);
}

const CLIENT_ERROR_STATUS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Bytes of a rejected body that are read and discarded; the largest accepted body has 5 MiB. */
const MAX_DRAINED_BYTES = 8 * 1024 * 1024;
const MAX_DRAIN_MS = 5000;

/**
 * Reads and discards what is left of the body of a rejected request. A client such as Node's `fetch` writes its whole
 * body before it reads the response: if the server hung up at once, the write would fail with EPIPE and the client would
 * never see the 413. After 8 MiB or 5 s the connection is cut.
 */
function drainBody(request: FastifyRequest, reply: FastifyReply): void {
  const body = request.raw;
  if (body.complete || !hasBody(request)) return;
  // Fastify asks for the connection to be closed after the response, which would cut the client off while it writes.
  reply.removeHeader('connection');
  let drainedBytes = 0;
  const cut = (): void => void body.destroy();
  const timer = setTimeout(cut, MAX_DRAIN_MS);
  timer.unref();
  body.on('data', (chunk: Buffer) => {
    drainedBytes += chunk.length;
    if (drainedBytes > MAX_DRAINED_BYTES) cut();
  });
  // A client that hangs up meanwhile has ended the request itself.
  body.on('error', cut);
  body.on('close', () => clearTimeout(timer));
  body.on('end', () => clearTimeout(timer));
  body.resume();
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
