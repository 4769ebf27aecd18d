import type { AddressCandidate, ErrorCode, FieldError } from './generated/schemas.ts';

/** An error response of the service: what is wrong, where, and what to do. `message` is its sentence. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** One of the codes under `/docs#errors`. A newer service may send others. */
  readonly code: ErrorCode | (string & {});
  readonly detail: string;
  /** Quote it when you ask for help. */
  readonly requestId: string | null;
  /** How long to wait before the same request can succeed. */
  readonly retryAfterSeconds: number | null;
  /** For `validation_error`: every error of the request, with its location. */
  readonly errors: readonly FieldError[];
  /** For `address_not_found`: similar addresses, best match first. */
  readonly candidates: readonly AddressCandidate[];

  constructor(about: Omit<ProblemError, 'name' | 'message' | 'stack' | 'cause'>) {
    super(about.detail);
    this.status = about.status;
    this.code = about.code;
    this.detail = about.detail;
    this.requestId = about.requestId;
    this.retryAfterSeconds = about.retryAfterSeconds;
    this.errors = about.errors;
    this.candidates = about.candidates;
  }
}

/** No response arrived, or only a part of it. The service may or may not have processed the request. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The error that a response describes. The response may also come from a proxy instead of the service. */
export async function problemOf(response: Response): Promise<ProblemError> {
  const said = membersOf(await response.text());
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const errors: readonly FieldError[] = Array.isArray(said.detail) ? said.detail : [];
  return new ProblemError({
    status: response.status,
    code: typeof said.code === 'string' ? said.code : 'unknown',
    detail: detailOf(said, errors, response),
    requestId: typeof said.request_id === 'string' ? said.request_id : response.headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    errors,
    candidates: Array.isArray(said.candidates) ? said.candidates : [],
  });
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === 'object' && said !== null ? { ...said } : {};
  } catch {
    // Not JSON, for example a proxy's page: the status alone describes the error.
    return {};
  }
}

function detailOf(
  said: Readonly<Record<string, unknown>>,
  errors: readonly FieldError[],
  response: Response,
): string {
  if (typeof said.detail === 'string') return said.detail;
  if (errors.length === 0) return `The response was ${response.status}, without a reason.`;
  return errors.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
}
