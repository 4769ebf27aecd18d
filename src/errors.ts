/**
 * Every failure that a caller can act on: its HTTP status, and what it means and what the caller can do, for the
 * documentation. Anything else that is thrown is a bug: 500 `internal_error` with a request id and no text.
 */
const ERRORS = {
  malformed_json: [400, 'The body is not JSON in UTF-8, or names a prototype (`__proto__`).'],
  json_too_deep: [400, 'The body is nested more than 32 levels deep.'],
  json_too_many_keys: [400, 'The body has more than 20,000 object members, or a batch more than 400,000.'],
  invalid_cursor: [400, 'The cursor was not issued by this service. Start the list again without one.'],
  api_key_in_query: [400, 'A key was in the URL. Send it in `X-API-Key`, and replace it: proxies log URLs.'],
  bad_request: [
    400,
    'The request is not valid HTTP, or asks for more than one response can contain; `detail` says what to change.',
  ],
  missing_api_key: [401, 'Send your key in the `X-API-Key` header.'],
  malformed_api_key: [401, 'The form or the checksum of the key is wrong. Check that you copied all of it.'],
  invalid_api_key: [401, 'The key is unknown, revoked or expired.'],
  not_signed_in: [401, 'Only in the console: there is no session, or it has ended. Sign in.'],
  sign_in_refused: [401, 'Only in the console: the name, the password or the code is wrong.'],
  second_factor_required: [
    401,
    'Only in the console: the password is correct. Send the `challenge` within 5 minutes, with a code of the authenticator app or a recovery code.',
  ],
  plan_forbidden: [403, 'The key lacks the scope, or the plan is unknown or lacks the operation.'],
  role_forbidden: [403, 'Only in the console: your role does not allow it.'],
  csrf_refused: [
    403,
    'Only in the console: the request does not come from its own pages, or lacks the `X-CSRF-Token` of the session.',
  ],
  not_found: [404, 'Nothing is at this path or has this id, or it belongs to another account.'],
  address_not_found: [
    404,
    'No loaded address is similar enough. `candidates` lists the nearest; or send coordinates.',
  ],
  outside_coverage: [
    404,
    'No market with enough sales covers the place. `GET /v1/coverage` lists the markets.',
  ],
  insufficient_data: [404, 'There is no model of this kind for this date, or too few sales near the place.'],
  method_not_allowed: [405, 'The path does not support this method; `Allow` lists those it supports.'],
  not_acceptable: [406, '`Accept` excludes the media types that the operation returns.'],
  conflict: [409, 'The current state does not allow this.'],
  gone: [
    410,
    'It has expired and was deleted, or another version of the service made it and this one cannot read it.',
  ],
  payload_too_large: [413, 'The body is larger than 1,048,576 bytes, or a batch larger than 5,242,880.'],
  unsupported_media_type: [415, 'Send `Content-Type: application/json`, not compressed.'],
  invalid_feature: [
    422,
    'A feature of the market is a number, and the request gives a text that is none. Single valuations report it as a `validation_error` with its path.',
  ],
  invalid_changes: [
    422,
    'A change of comparables or adjustments does not fit the valuation; `detail` says which and why.',
  ],
  record_incomplete: [
    422,
    'Only in the console: a row of a file leaves out bedrooms or bathrooms, and no public record has them.',
  ],
  idempotency_key_reused: [
    422,
    'The `Idempotency-Key` was sent within 48 hours with another body. Send the first body again, or another key.',
  ],
  rate_limited: [429, 'Too many requests. Wait as long as `Retry-After` says.'],
  quota_exceeded: [
    429,
    'The plan’s credits or its room for valuations are used up. Wait as long as `Retry-After` says.',
  ],
  internal_error: [500, 'The service failed. Report the `request_id`.'],
  unavailable: [
    503,
    'The service is starting, stopping or overloaded. Try again after `Retry-After` seconds.',
  ],
  deadline_exceeded: [504, 'The response took too long. Try again later.'],
  usage: [500, 'Wrong use of the command line, bad files, bad settings: never sent over HTTP.'],
} as const satisfies Readonly<Record<string, readonly [status: number, meaning: string]>>;

export type ErrorCode = keyof typeof ERRORS;

/** The errors that HTTP responses can report. */
export const HTTP_ERRORS = Object.entries(ERRORS)
  .filter(([code]) => code !== 'usage')
  .map(([code, [status, meaning]]) => ({ code, status, meaning }));

export function isErrorCode(text: string): text is ErrorCode {
  return text in ERRORS;
}

export function statusOf(code: ErrorCode): number {
  return ERRORS[code][0];
}

/**
 * A failure that the caller can act on. `detail` is a sentence: what is wrong, where, what to do. `members` are
 * additional public fields of the problem document (`candidates`). `cause` appears only in the log.
 */
export class PlumblineError extends Error {
  override readonly name = 'PlumblineError';
  readonly code: ErrorCode;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    detail: string,
    options: { members?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.members = options.members ?? {};
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/** A wrong command line, file or setting. */
export function usageError(detail: string, cause?: unknown): PlumblineError {
  return new PlumblineError('usage', detail, { cause });
}

/** Whether something thrown is a failure with one of these codes. */
export function isFailure(error: unknown, ...codes: readonly ErrorCode[]): error is PlumblineError {
  return error instanceof PlumblineError && codes.includes(error.code);
}

/** The code of an error of the system or of Node, such as `ENOENT`; null for other errors. */
export function systemCodeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}

/** What is read of a file; null if it does not exist. Other errors are thrown. */
export async function nullIfMissing<Read>(reading: Promise<Read>): Promise<Read | null> {
  try {
    return await reading;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
