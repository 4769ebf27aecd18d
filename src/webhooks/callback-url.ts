import type { Outbound } from '../egress/outbound.ts';

/** A callback as it is stored, or the sentence why it is not. */
export type ParsedCallback =
  { readonly url: string; readonly refusal: null } | { readonly url: null; readonly refusal: string };

/**
 * Judges the `notify_url` of a request before it is kept: scheme, credentials, port, and every address of its host now.
 * The guard judges again at each connection, since names change.
 */
export async function parseCallbackUrl(
  outbound: Pick<Outbound, 'refusalOf'>,
  text: string,
): Promise<ParsedCallback> {
  const refusal = await outbound.refusalOf(text);
  return refusal === null ? { url: new URL(text).href, refusal } : { url: null, refusal };
}
