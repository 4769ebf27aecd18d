/**
 * Every failure that a caller can act on, and its HTTP status. Anything else that is thrown is a bug: 500
 * `internal_error` with a request id and no text.
 */
export const ERROR_STATUS = {
  malformed_json: 400,
  json_too_deep: 400,
  json_too_many_keys: 400,
  invalid_cursor: 400,
  api_key_in_query: 400,
  bad_request: 400,
  missing_api_key: 401,
  malformed_api_key: 401,
  invalid_api_key: 401,
  not_signed_in: 401,
  sign_in_refused: 401,
  plan_forbidden: 403,
  role_forbidden: 403,
  csrf_refused: 403,
  not_found: 404,
  address_not_found: 404,
  outside_coverage: 404,
  insufficient_data: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  internal_error: 500,
  unavailable: 503,
  deadline_exceeded: 504,
  /** Wrong use of the command line, bad files, bad settings: never sent over HTTP. */
  usage: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/**
 * The only error class. `detail` is a sentence for the caller: what is wrong, where, what to do. `members`
 * are additional public fields of the problem document (`candidates`). `cause` appears only in the log.
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
    return ERROR_STATUS[this.code];
  }
}

/** A wrong command line, file or setting. */
export function usageError(detail: string, cause?: unknown): PlumblineError {
  return new PlumblineError('usage', detail, { cause });
}
