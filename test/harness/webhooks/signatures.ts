import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { SECRET_BYTES, signWebhook, writeSecret } from '../../../src/webhooks/sign.ts';
import { anyText } from '../any-text.ts';

export const secret = fc.uint8Array({ minLength: SECRET_BYTES, maxLength: SECRET_BYTES });
export const body = fc.oneof(fc.json(), anyText()).map((text) => Buffer.from(text.toWellFormed()));
export const now = (): number => Math.floor(Date.now() / 1000);
/** Bodies need not be JSON here. */
export const asText = { jsonParse: false };

/** The number of cases and the random seed. `onCase` is called after each case. */
interface Cases {
  readonly numRuns: number;
  readonly seed?: number;
  readonly onCase?: () => void;
}

/** The body in chunks, as results are streamed. */
function inPieces(bytes: Uint8Array, size: number): () => Iterable<Uint8Array> {
  return function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
}

/**
 * Signs bodies in chunks of any size. An independent library must verify each signature and compute the same
 * one.
 */
export async function checkSignatures({ onCase, ...parameters }: Cases): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.uuid(),
      body,
      secret,
      fc.integer({ min: 1, max: 40 }),
      async (uuid, bytes, key, size) => {
        const message = { id: `msg_${uuid}`, timestampSeconds: now() };
        const signed = await signWebhook(message, inPieces(bytes, size), [key]);
        const receiver = new Webhook(writeSecret(key));
        receiver.verify(bytes, { ...signed.headers }, asText);
        assert.equal(signed.byteCount, bytes.length);
        const theirs = receiver.sign(message.id, new Date(1000 * message.timestampSeconds), bytes);
        assert.equal(signed.headers['webhook-signature'], theirs);
        onCase?.();
      },
    ),
    parameters,
  );
}

/** Changes one byte of the body, id, time and signature in turn. The library must reject all four. */
export async function checkMutations({ onCase, ...parameters }: Cases): Promise<void> {
  const change = fc.integer({ min: 1, max: 255 });
  await fc.assert(
    fc.asyncProperty(body, secret, fc.nat(), change, async (bytes, key, at, difference) => {
      fc.pre(bytes.length > 0);
      const message = { id: 'msg_1', timestampSeconds: now() };
      const { headers } = await signWebhook(message, () => [bytes], [key]);
      const receiver = new Webhook(writeSecret(key));
      const changed = Buffer.from(bytes);
      changed[at % changed.length] ^= difference;
      assert.throws(() => receiver.verify(changed, { ...headers }, asText));
      assert.throws(() => receiver.verify(bytes, { ...headers, 'webhook-id': 'msg_2' }, asText));
      const other = String(message.timestampSeconds + 1);
      assert.throws(() => receiver.verify(bytes, { ...headers, 'webhook-timestamp': other }, asText));
      const signature = headers['webhook-signature'];
      const flipped = signature.slice(0, 3) + (signature[3] === 'A' ? 'B' : 'A') + signature.slice(4);
      assert.throws(() => receiver.verify(bytes, { ...headers, 'webhook-signature': flipped }, asText));
      onCase?.();
    }),
    parameters,
  );
}
