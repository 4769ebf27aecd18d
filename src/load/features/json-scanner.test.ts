import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { test } from 'node:test';
import { createJsonScanner, JsonFault } from './json-scanner.ts';

/** Builds the value that the events tell, as JSON.parse would. */
function scan(text: string, cuts: readonly number[] = []): unknown {
  const stack: { value: unknown[] | Map<string, unknown>; key: string }[] = [];
  let root: unknown;
  const put = (value: unknown): void => {
    const top = stack[stack.length - 1];
    if (!top) root = value;
    else if (Array.isArray(top.value)) top.value.push(value);
    else top.value.set(top.key, value);
  };
  const scanner = createJsonScanner({
    open: (isArray) => stack.push({ value: isArray ? [] : new Map(), key: '' }),
    close: () => {
      const value = stack.pop()?.value;
      put(value instanceof Map ? Object.fromEntries(value) : value);
    },
    key: (name) => {
      stack[stack.length - 1].key = name;
    },
    text: put,
    number: put,
    constant: put,
  });
  const bytes = Buffer.from(text);
  let at = 0;
  for (const cut of [
    ...cuts.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ]) {
    // Streams reuse their buffers: what was pushed may change afterwards.
    const chunk = Buffer.from(bytes.subarray(at, cut));
    scanner.push(chunk);
    chunk.fill(0x7b);
    at = Math.max(at, cut);
  }
  scanner.end();
  return root;
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
const values = fc.jsonValue({ maxDepth: 6 });

test('a text says the same as to JSON.parse, wherever its chunks are cut', () => {
  fc.assert(
    fc.property(values, fc.nat({ max: 2 }), cuts, (value, indent, at) => {
      const text = JSON.stringify(value, null, indent);
      assert.deepEqual(scan(text, at), JSON.parse(text));
    }),
    { numRuns: 1000 },
  );
});

test('a number is the double that Number() reads, to the last bit', () => {
  const decimals = fc
    .tuple(fc.maxSafeInteger(), fc.nat({ max: 25 }))
    .map(([digits, places]) => `${(digits / 7).toFixed(Math.min(places, 20))}`);
  const doubles = fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => JSON.stringify(value));
  const coordinates = fc
    .tuple(fc.integer({ min: -180, max: 179 }), fc.nat({ max: 9_999_999 }))
    .map(([degrees, rest]) => `${degrees}.${String(rest).padStart(7, '0')}`);
  fc.assert(
    fc.property(fc.oneof(decimals, doubles, coordinates), cuts, (text, at) => {
      assert.deepEqual(scan(`[${text}]`, at), [Number(text)]);
    }),
    { numRuns: 3000 },
  );
  for (const text of ['-0', '0', '0.1', '1e5', '1E-7', '123456789012345678', '-71.14320461172761']) {
    assert.deepEqual(scan(`[${text}]`), [Number(text)]);
  }
  assert.deepEqual(scan('[NaN,-Infinity]'), [NaN, -Infinity], 'as Python writes them');
});

test('a damaged text is refused whenever JSON.parse refuses it', () => {
  const shards = ['"', ',', ':', '[', ']', '{', '}', '1', '-', '.', 'e', 'true', 'nul', '\\', '01', ' ', '#'];
  const wounds = fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 4 }), fc.constantFrom(...shards)),
    { minLength: 1, maxLength: 3 },
  );
  fc.assert(
    fc.property(values, wounds, cuts, (value, damage, at) => {
      let text = JSON.stringify(value);
      for (const [share, cut, shard] of damage) {
        const start = Math.floor(share * text.length);
        text = text.slice(0, start) + shard + text.slice(start + cut);
      }
      text = Buffer.from(text).toString();
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        assert.throws(() => scan(text, at), JsonFault, text);
        return;
      }
      assert.deepEqual(scan(text, at), expected);
    }),
    { numRuns: 2000 },
  );
});

test('a text that never ends, nests without end or spells one endless number is given up early', () => {
  assert.throws(() => scan(`["${'a'.repeat(70_000)}"]`), /longer than 64 KB/);
  assert.throws(() => scan(`["${'a'.repeat(70_000)}`), /longer than 64 KB/);
  assert.throws(() => scan(`[${'1'.repeat(500)}]`), /longer than 400 characters/);
  assert.throws(() => scan('['.repeat(33)), /more than 32 deep/);
  assert.throws(() => scan('{"a":[1,2'), /ends before it is complete/);
});
