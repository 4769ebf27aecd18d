import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from '../../egress/stored-object.ts';

/** `bytes=0-499`, `bytes=500-` or `bytes=-500`. */
const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * The part of a file that a request asks for (RFC 9110); null for all of it: without `Range`, with one that the file does not
 * have or that names several parts, or if the file is no longer the one of `If-Range`.
 */
export function readByteRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  { byteCount, entityTag }: { readonly byteCount: number; readonly entityTag: string },
): ByteRange | null {
  const [, from, to] = RANGE.exec(range ?? '') ?? [];
  if (from === undefined || (from === '' && to === '')) return null;
  if (ifRange !== undefined && ifRange !== entityTag) return null;
  const first = from === '' ? Math.max(0, byteCount - Number(to)) : Number(from);
  const last = from === '' || to === '' ? byteCount - 1 : Math.min(Number(to), byteCount - 1);
  return first <= last ? { first, last } : null;
}
