import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey } from '../../src/accounts/api-key.ts';
import { createAuthenticate } from '../../src/accounts/authenticate.ts';
import { createKey } from '../../src/accounts/manage-keys.ts';
import { BUILT_IN_PLANS } from '../../src/accounts/plans.ts';
import { monotonicClock, systemClock } from '../../src/clock.ts';
import { PlumblineError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { endApiKey, type PlannedApiKey } from '../../src/store/accounts.ts';
import { openStore } from '../../src/store/open-store.ts';
import { seededRandom } from '../../src/valuation/random.ts';
import { ask } from './send-request.ts';
import { engineOf } from './fault-engines.ts';
import type { FaultRun } from './fault-run.ts';
import { startServe } from './serve-process.ts';
import { COMMAND_LINE } from '../../src/store/audit-log.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ALPHABET = `${BASE62}_-. é`;
/** One key in this many is forged by an attacker who knows the id and how to compute the checksum. */
const FORGED_EVERY = 100;
const REAL_KEYS = 100;

/** A second implementation of the checksum, from the documentation of keys. */
function checksumOf(body: string): string {
  const digits = Array.from({ length: 6 }, (_, i) => Math.floor(crc32(body) / 62 ** (5 - i)) % 62);
  return digits.map((digit) => BASE62.charAt(digit)).join('');
}

export const mutatedKeys: FaultRun = {
  name: 'mutated-keys',
  guarantee:
    'no key with a changed character is accepted, and no key with a wrong form or checksum reaches the database',
  counts: { of: 'keys', small: 100_000, full: 1_000_000 },
  async run({ count, seed, onProgress }) {
    const random = seededRandom(seed);
    const real = Array.from({ length: REAL_KEYS }, () => createApiKey(randomBytes, 'live'));
    const records = new Map(real.map((key) => [key.keyId, recordOf(key.keyId, key.sha256)]));
    let lookups = 0;
    const keys = {
      find: async (keyId: string) => (lookups++, records.get(keyId) ?? null),
      recordUse: async () => {},
    };
    const deps = {
      keys,
      plans: BUILT_IN_PLANS,
      clock: systemClock,
      monotonicClock,
      log: createLog('silent'),
    };
    const authenticate = createAuthenticate(deps);
    for (const { text, keyId } of real) assert.equal((await authenticate(text)).keyId, keyId);
    const figures = { malformed: 0, forged: 0 };
    for (let i = 0; i < count; i++) {
      const { text } = real[i % REAL_KEYS];
      const isForged = i % FORGED_EVERY === 0;
      const body = changed(isForged ? text.slice(0, -6) : text, random, isForged ? BASE62 : ALPHABET);
      const before = lookups;
      const code = await codeOf(authenticate(isForged ? body + checksumOf(body) : body));
      if (isForged) assert.ok(['invalid_api_key', 'malformed_api_key'].includes(code), `${body}: ${code}`);
      else assert.equal(code, 'malformed_api_key', body);
      if (code === 'malformed_api_key') assert.equal(lookups, before, 'the database was queried');
      figures[code === 'malformed_api_key' ? 'malformed' : 'forged']++;
      if (i % 1000 === 0) onProgress(i);
    }
    assert.ok(figures.forged > count / FORGED_EVERY / 2, 'most forged keys must be rejected by their secret');
    return { accepted: 0, ...figures };
  },
};

/** Changes one character. In forged keys it is a character of the secret. */
function changed(text: string, random: () => number, alphabet: string): string {
  const from = alphabet === BASE62 ? text.lastIndexOf('_') + 1 : 0;
  const at = from + Math.floor(random() * (text.length - from));
  const others = alphabet.replace(text.charAt(at), '');
  return text.slice(0, at) + others.charAt(Math.floor(random() * others.length)) + text.slice(at + 1);
}

async function codeOf(caller: Promise<unknown>): Promise<string> {
  try {
    await caller;
    return 'accepted';
  } catch (error) {
    if (error instanceof PlumblineError) return error.code;
    throw error;
  }
}

function recordOf(keyId: string, secretSha256: string): PlannedApiKey {
  return {
    keyId,
    secretSha256,
    accountId: 'self',
    plan: 'unlimited',
    limits: null,
    name: 'real',
    environment: 'live',
    scopes: ['*'],
    lastCharacters: '',
    createdAt: 0,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  };
}

const SERVERS = 4;
/** A revoked key must be rejected everywhere within this time. */
const REVOKED_WITHIN_MS = 10_000;

export const revokedKeys: FaultRun = {
  name: 'revoked-keys',
  guarantee: 'each of four processes rejects a revoked key within 10 s, however often it was just used',
  counts: { of: 'keys', small: 1, full: 10 },
  async run({ count, onProgress }) {
    const database = await engineOf('postgres').create();
    const store = await openStore(database.settings);
    const servers = await Promise.all(Array.from({ length: SERVERS }, () => startServe(database)));
    const status = async (url: string, key: string): Promise<number> =>
      (await ask(`${url}/v1/coverage`, key)).status;
    let slowestMs = 0;
    for (let round = 0; round < count; round++) {
      const { text, keyId } = await createKey({ store, clock: systemClock, randomBytes }, COMMAND_LINE, {
        name: 'revoked',
      });
      for (const { url } of servers) assert.equal(await status(url, text), 200);
      assert.equal(await endApiKey(store, keyId, { revokedAt: Date.now() }), true);
      const revokedAt = performance.now();
      let lastMs = 0;
      const refused = servers.map(async ({ url }) => {
        while ((await status(url, text)) !== 401) {
          assert.ok(performance.now() < revokedAt + REVOKED_WITHIN_MS, 'the key is still accepted');
          await sleep(50);
        }
        lastMs = Math.max(lastMs, performance.now() - revokedAt);
        for (let again = 0; again < 10; again++) assert.equal(await status(url, text), 401);
      });
      await Promise.all(refused);
      slowestMs = Math.max(slowestMs, lastMs);
      onProgress(round + 1);
    }
    for (const { child } of servers) child.kill('SIGINT');
    for (const { ended } of servers) assert.equal(await ended, 0);
    await store.close();
    await database.drop();
    return { processes: SERVERS, 'slowest ms': Math.round(slowestMs) };
  },
};
