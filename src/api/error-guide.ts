import type { ErrorCode } from '../errors.ts';

/** What each code means and what the caller can do, for the documentation. `type` of a problem links to it. */
export const ERROR_GUIDE: Readonly<Record<Exclude<ErrorCode, 'usage'>, string>> = {
  malformed_json: 'The body is not JSON in UTF-8, or names a prototype (`__proto__`).',
  json_too_deep: 'The body is nested more than 32 levels deep.',
  json_too_many_keys: 'The body has more than 20,000 object members, or a batch more than 400,000.',
  invalid_cursor: 'The cursor was not issued by this service. Start the list again without one.',
  api_key_in_query: 'A key was in the URL. Send it in `X-API-Key`, and replace it: proxies log URLs.',
  bad_request:
    'The request is not valid HTTP, or asks for more than one response can contain; `detail` says what to change.',
  missing_api_key: 'Send your key in the `X-API-Key` header.',
  malformed_api_key: 'The form or the checksum of the key is wrong. Check that you copied all of it.',
  invalid_api_key: 'The key is unknown, revoked or expired.',
  not_signed_in: 'Only in the console: there is no session, or it has ended. Sign in.',
  sign_in_refused: 'Only in the console: the name or the password is wrong.',
  plan_forbidden: 'The key lacks the scope of the operation, or the plan does not include it.',
  role_forbidden: 'Only in the console: your role does not allow it.',
  csrf_refused:
    'Only in the console: the request does not come from its own pages, or lacks the `X-CSRF-Token` of the session.',
  not_found: 'There is nothing with this id, or it belongs to another account.',
  address_not_found:
    'No loaded address is similar enough. `candidates` lists the nearest; or send coordinates.',
  outside_coverage: 'No market with enough sales covers the place. `GET /v1/coverage` lists the markets.',
  insufficient_data: 'The market has no model for this date, or none of this kind.',
  method_not_allowed: 'The path does not support this method; `Allow` lists those it supports.',
  not_acceptable: '`Accept` excludes the media types that the operation returns.',
  conflict: 'The current state does not allow this.',
  gone: 'It has expired and was deleted.',
  payload_too_large: 'The body is larger than 1,048,576 bytes, or a batch larger than 5,242,880.',
  unsupported_media_type: 'Send `Content-Type: application/json`, not compressed.',
  idempotency_key_reused:
    'The `Idempotency-Key` was sent within 48 hours with another body. Send the first body again, or another key.',
  rate_limited: 'Too many requests. Wait as long as `Retry-After` says.',
  quota_exceeded: 'The plan’s credits are used up. Wait as long as `Retry-After` says.',
  internal_error: 'The service failed. Report the `request_id`.',
  unavailable: 'The service is starting, stopping or overloaded. Try again after `Retry-After` seconds.',
  deadline_exceeded: 'The response took too long. Try again later.',
};
