import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { RowItem } from '../request/make-items.ts';
import { bodyOf, cutIntoJobs, ITEMS_A_JOB, keyOfPart } from './chunks.ts';
import { sendParts, type Outcome } from './send-parts.ts';

const BODY_BYTES_MAX = 5_242_880;

test('items are cut into jobs that the API takes, none lost and none twice', () => {
  const sizes = fc.array(fc.constantFrom(10, 300, 40_000, 400_000), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(sizes, fc.constantFrom('a', 'é', '…'), fc.nat(1200), (sizes, letter, more) => {
      const texts = [
        ...sizes.map((size) => letter.repeat(size)),
        ...Array.from({ length: more }, () => letter),
      ];
      const items: RowItem[] = texts.map((text, at) => ({ at, item: { text } }));
      const jobs = cutIntoJobs(items);
      assert.deepEqual(jobs.flat(), items);
      for (const job of jobs) {
        const bytes = Buffer.byteLength(
          JSON.stringify(bodyOf(job, `https://example.com/${'x'.repeat(2000)}`)),
        );
        assert.ok(
          job.length >= 1 && job.length <= ITEMS_A_JOB && bytes <= BODY_BYTES_MAX,
          `${job.length}, ${bytes}`,
        );
      }
    }),
    { numRuns: 30 },
  );
  assert.deepEqual(
    cutIntoJobs(Array.from({ length: 1001 }, (_, at) => ({ at, item: {} }))).map((job) => job.length),
    [500, 500, 1],
  );
});

test('a part has one key for as long as it is the same part of the same file', async () => {
  const part = { fileSha256: 'f'.repeat(64), attempt: 1, part: 1, body: { properties: [] } };
  const key = await keyOfPart(part);
  assert.match(key, /^[\x21-\x7e]{1,255}$/);
  assert.equal(await keyOfPart({ ...part }), key);
  const others = [
    { part: 2 },
    { attempt: 2 },
    { fileSha256: 'e'.repeat(64) },
    { body: { properties: [{}] } },
  ];
  const keys = await Promise.all(others.map((change) => keyOfPart({ ...part, ...change })));
  assert.equal(new Set([key, ...keys]).size, 5);
});

/** A server that answers what the script says, part by part. */
function scripted(script: Outcome<string>[]) {
  const sent: number[] = [];
  const waited: number[] = [];
  const kept: [number, string][] = [];
  const deps = {
    send: async (part: number) => {
      sent.push(part);
      return script.shift() ?? { answer: `job of ${part}`, refusal: null };
    },
    wait: async (seconds: number, signal: AbortSignal) => {
      signal.throwIfAborted();
      waited.push(seconds);
    },
    onWait: () => undefined,
    onAnswer: async (part: number, answer: string) => void kept.push([part, answer]),
  };
  return { deps, sent, waited, kept };
}

const refused = (retryAfter: number | null): Outcome<string> => ({
  answer: null,
  refusal: { message: 'No.', retryAfter },
});

test('parts go one after the other; what is refused for now is sent again after the time that was asked for', async () => {
  const { deps, sent, waited, kept } = scripted([refused(0), refused(0), refused(120), refused(0)]);
  assert.equal(await sendParts(deps, [1, 2], new AbortController().signal), null);
  assert.deepEqual(sent, [1, 1, 1, 1, 1, 2]);
  assert.deepEqual(waited, [1, 2, 120, 8]);
  assert.deepEqual(kept, [
    [1, 'job of 1'],
    [2, 'job of 2'],
  ]);
});

test('what is refused for good ends the sending, and what was sent before is kept', async () => {
  const { deps, sent, kept } = scripted([{ answer: 'a', refusal: null }, refused(null)]);
  assert.deepEqual(await sendParts(deps, [1, 2, 3], new AbortController().signal), {
    part: 2,
    message: 'No.',
  });
  assert.deepEqual([sent, kept], [[1, 2], [[1, 'a']]]);
});

test('sending stops where it is told to, also while it waits', async () => {
  const controller = new AbortController();
  const { deps, sent } = scripted([{ answer: 'a', refusal: null }, refused(5)]);
  const stopping = { ...deps, onWait: () => controller.abort() };
  await assert.rejects(sendParts(stopping, [1, 2, 3], controller.signal), { name: 'AbortError' });
  assert.deepEqual(sent, [1, 2]);
});
