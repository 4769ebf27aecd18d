import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejectWeakPassword } from './passwords.ts';

const NAME = 'Ada@example.org';

test('common passwords, repetitions and the name of the user are rejected as new passwords', async () => {
  const common =
    'password1234 Password123! P@ssw0rd1234 qwertyuiop12 123456789012 iloveyou1234 letmeinletmein';
  const more =
    'Welcome12345 1q2w3e4r5t6y aaaaaaaaaaaa abcdabcdabcd ada@example.org plumbline2026 elevenchars';
  const weak = `${common} ${more} ${'password'.repeat(32)} ${'a'.repeat(257)}`.split(' ');
  for (const password of weak) {
    await assert.rejects(rejectWeakPassword(password, NAME), { code: 'bad_request' }, password);
  }
});

test('several words, and twelve characters that are in no list, are accepted as new passwords', async () => {
  const strong = [
    'twelve chars',
    'four plumb bobs hang',
    '🏠🏡🏢🏣🏤🏥🏦🏧🏨🏩🏪🏫',
    'kT7vq2Rm9xLw',
    'Grüße an alle 12',
  ];
  for (const password of strong) await rejectWeakPassword(password, NAME);
});

test('any password is checked in less than a second', async () => {
  await rejectWeakPassword('four plumb bobs hang', NAME);
  for (const costly of ['4@8({[<369&#!1|0$5+7%2', '<+63020v($1a#$s+%1#6#5@7%01z1[5zz073', 'p@5$w0rd']) {
    const startedAt = performance.now();
    await rejectWeakPassword(costly.repeat(12).slice(0, 256), NAME).catch(() => undefined);
    assert.ok(performance.now() - startedAt < 1000);
  }
});
