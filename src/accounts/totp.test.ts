import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { acceptedStep, newTotpSecret, qrDataUrl, totpCode, totpUri } from './totp.ts';

/** RFC 6238, appendix B: the ASCII secret "12345678901234567890" in base32, SHA-1. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
/** Seconds since 1970, and the last six of the eight digits. */
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

test('codes are those of the RFC 6238 vectors', () => {
  for (const [seconds, code] of VECTORS) {
    assert.equal(totpCode(SECRET, seconds * 1000), code);
    assert.equal(acceptedStep(SECRET, code, seconds * 1000, 0), Math.floor(seconds / 30));
  }
});

test('a code is accepted one step early and late, and no further', () => {
  const at = 1_234_567_890_000;
  const step = Math.floor(at / 30_000);
  const accepted = [-2, -1, 0, 1, 2].map((off) =>
    acceptedStep(SECRET, totpCode(SECRET, at + off * 30_000), at, 0),
  );
  assert.deepEqual(accepted, [null, step - 1, step, step + 1, null]);
});

test('no code of an accepted step or an earlier one is accepted again', () => {
  const at = 1_234_567_890_000;
  const step = Math.floor(at / 30_000);
  assert.equal(acceptedStep(SECRET, totpCode(SECRET, at), at, step), null);
  assert.equal(acceptedStep(SECRET, totpCode(SECRET, at - 30_000), at, step), null);
  assert.equal(acceptedStep(SECRET, totpCode(SECRET, at + 30_000), at, step), step + 1);
});

test('text that is not six digits is rejected', () => {
  for (const code of ['', '28708', '2870822', 'abcdef', '28 7082', '２８７０８２']) {
    assert.equal(acceptedStep(SECRET, code, 59_000, 0), null, code);
  }
});

test('secrets have 160 bits, and their link names the service and the user', () => {
  const secret = newTotpSecret(randomBytes);
  assert.match(secret, /^[A-Z2-7]{32}$/);
  const uri = new URL(totpUri(secret, 'ada@example.org'));
  assert.equal(decodeURIComponent(uri.pathname), '/Plumbline:ada@example.org');
  assert.equal(uri.searchParams.get('secret'), secret);
  assert.match(qrDataUrl(uri.href), /^data:image\/svg\+xml;base64,/);
});
