type Json = Record<string, unknown>;

const header = (type: 'string' | 'integer', description: string): Json => ({ description, schema: { type } });

/** Every header of a response, for `components`. Responses refer to them, because most have several. */
export const HEADERS = {
  'X-Request-Id': header('string', 'Id of this request in the log.'),
  'WWW-Authenticate': header('string', 'How to authenticate: with a key in `X-API-Key`.'),
  'RateLimit-Policy': header('string', 'Every limit: `q` requests in `w` seconds.'),
  RateLimit: header('string', 'For every limit: `r` requests left, `t` seconds until all are back.'),
  'X-RateLimit-Limit': header('integer', 'The limit that is closest to being reached.'),
  'X-RateLimit-Remaining': header('integer', 'Requests left under that limit.'),
  'X-RateLimit-Reset': header('integer', 'Seconds until all of its requests are back.'),
  Location: header('string', 'Path of the job, or of the portfolio.'),
  'Retry-After': header('integer', 'Seconds to wait before the next request, or before polling the job.'),
  'Idempotent-Replayed': header(
    'string',
    '`true` if the same `Idempotency-Key` was sent before: this is the answer to that request.',
  ),
  'X-Credits-Charged': header('integer', 'Credits charged.'),
  'X-Credits-Remaining': header('integer', 'Credits left this month, if the plan has a cap.'),
};

function refer(...names: readonly (keyof typeof HEADERS)[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Sent with every response. */
export const REQUEST_ID_HEADER = refer('X-Request-Id');
/** Sent if the plan has limits. */
export const RATE_HEADERS = refer(
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
);
export const JOB_HEADERS = refer('Location', 'Retry-After', 'Idempotent-Replayed');
export const CREDIT_HEADERS = refer('X-Credits-Charged', 'X-Credits-Remaining');

const WITH_RETRY_AFTER = ['429', '503', '504'];
/** Decided before the limits of the account are known. */
const BEFORE_LIMITS = ['401', '403'];

/** The headers of a problem. Limits are those of a key. */
export function problemHeaders(status: string, isKeyed: boolean): Json {
  return {
    ...REQUEST_ID_HEADER,
    ...(status === '401' ? refer('WWW-Authenticate') : {}),
    ...(WITH_RETRY_AFTER.includes(status) ? refer('Retry-After') : {}),
    ...(isKeyed && !BEFORE_LIMITS.includes(status) ? RATE_HEADERS : {}),
  };
}
