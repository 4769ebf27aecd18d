/**
 * A UUID of version 7 (RFC 9562 §5.7): 48 bits of milliseconds, then 74 random bits, so that ids sort by time.
 * The caller gives both: `randomBytes(10)` from node:crypto.
 */
export function uuidV7(nowMs: number, randomBytes: Uint8Array): string {
  if (randomBytes.length < 10) throw new RangeError('a UUID needs 10 random bytes');
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(nowMs) << 16n);
  bytes.set(randomBytes.subarray(0, 10), 6);
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  const hex = Buffer.from(bytes.buffer).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The first UUID that can be of an instant: those of earlier instants sort before it. */
export function firstUuidAt(ms: number): string {
  return uuidV7(ms, new Uint8Array(10));
}
