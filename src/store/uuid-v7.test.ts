import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uuidV7 } from './uuid-v7.ts';

test('the example of RFC 9562 (appendix A.6) is reproduced exactly', () => {
  // rand_a = 0xCC3, rand_b = 0x18C4DC0C0C07398F; the version and variant bits overwrite the first of each.
  const random = Uint8Array.from([0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f]);
  assert.equal(uuidV7(0x017f22e279b0, random), '017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
});

test('ids sort by time, and too few random bytes are rejected', () => {
  const random = new Uint8Array(10).fill(255);
  assert.ok(uuidV7(1_700_000_000_000, random) < uuidV7(1_700_000_000_001, new Uint8Array(10)));
  assert.throws(() => uuidV7(0, new Uint8Array(9)), RangeError);
});
