import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { createSecretBox, fingerprintOfKey } from '../src/accounts/secret-box.ts';
import { takeBackup } from '../src/store/backup/take-backup.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import { putBlob } from '../src/store/blobs.ts';
import { openStore } from '../src/store/open-store.ts';
import { rotateSecret } from '../src/webhooks/secrets.ts';
import { MAIN } from './faults/spawn-program.ts';
import type { Json } from './json.ts';
import { engines, type TestDatabase } from './harness/store/engines.ts';

/** Runs the program through a shell command that ends with `exec "$@"`. */
function run({ settings }: TestDatabase, script: string, ...words: readonly string[]) {
  const { dataDir, databaseUrl } = settings;
  return spawnSync('sh', ['-c', script, 'sh', process.execPath, MAIN, ...words], {
    encoding: 'utf8',
    env: { ...process.env, PLUMBLINE_DATA: dataDir, DATABASE_URL: databaseUrl ?? '', WEBHOOK_KEY: '' },
  });
}

for (const engine of engines) {
  test(`${engine.name}: a backup to a full disk leaves nothing, a restore names the key that its secrets need, and the doctor exits with 2 without it`, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-backup-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    const database = await engine.create();
    const store = await openStore(database.settings);
    await putBlob(store, randomBytes(200_000));
    const key = randomBytes(32);
    const secrets = { store, clock: store.clock, randomBytes, box: createSecretBox(key, randomBytes) };
    await rotateSecret(secrets, COMMAND_LINE, 'self');

    // The kernel refuses longer files, as a full disk would. Units of 512 bytes or of 1024.
    const full = run(database, 'ulimit -f 128; exec "$@"', 'backup', join(folder, 'full'));
    assert.equal(full.status, 1, full.stderr);
    assert.match(
      full.stderr,
      /plumbline: The backup .*full cannot be written: EFBIG.* Nothing of it was kept/,
    );
    assert.deepEqual(readdirSync(folder), []);

    const keyFingerprint = fingerprintOfKey(key);
    await takeBackup(store, join(folder, 'b'), { keyFingerprint, onProgress: () => {} });
    await store.close();
    await database.drop();
    const target = await engine.create();
    const restored = run(target, 'exec "$@"', 'restore', join(folder, 'b'));
    assert.equal(restored.status, 0, restored.stderr);
    assert.match(
      restored.stdout,
      new RegExp(`1 of 1 sealed secrets need the key ${keyFingerprint}; this installation has none`),
    );
    assert.match(restored.stdout, /webhook secret 1 of account self/);
    // Before the backup is read, which may take minutes.
    const again = run(target, 'exec "$@"', 'restore', join(folder, 'none'));
    assert.match(again.stderr, /The database is not empty/);

    const examined = run(target, 'exec "$@"', 'doctor', '--json');
    assert.equal(examined.status, 2, examined.stderr);
    const { findings } = JSON.parse(examined.stdout);
    assert.ok(findings.some((each: Json) => each.check === 'keys' && each.severity === 'error'));
    await target.drop();
  });
}
