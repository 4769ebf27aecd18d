import type { Outbound } from '../egress/outbound.ts';

/** A callback URL to store, or the reason why it is rejected. */
export type ParsedCallback =
  { readonly url: string; readonly refusal: null } | { readonly url: null; readonly refusal: string };

/**
 * Checks the `notify_url` of a request before it is stored: scheme, credentials, port, and every current
 * address of its host. The guard checks again at each connection, because DNS changes.
 */
export async function parseCallbackUrl(
  outbound: Pick<Outbound, 'rejectionOf'>,
  text: string,
): Promise<ParsedCallback> {
  const refusal = await outbound.rejectionOf(text);
  return refusal === null ? { url: new URL(text).href, refusal } : { url: null, refusal };
}
