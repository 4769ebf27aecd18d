import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { lockDataFolder } from './data-folder.ts';
import { openStore } from './open-store.ts';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'plumbline-lock-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return join(path, 'data');
}

const isTaken = { code: 'usage', message: /Another Plumbline process serves .*PLUMBLINE_DATA/ };

test('one process serves a data folder at a time', (t) => {
  const dataDir = folder(t);
  const unlock = lockDataFolder(dataDir);
  assert.throws(() => lockDataFolder(dataDir), isTaken);
  unlock();
  lockDataFolder(dataDir)();
});

test('the lock of a process that was killed is free', async (t) => {
  const dataDir = folder(t);
  const module = new URL('./data-folder.ts', import.meta.url).href;
  const code = `import(${JSON.stringify(module)}).then(({ lockDataFolder }) => {
    lockDataFolder(${JSON.stringify(dataDir)});
    console.log('locked');
    setInterval(() => {}, 1000);
  });`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  assert.throws(() => lockDataFolder(dataDir), isTaken);
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockDataFolder(dataDir)();
});

test(
  'the data folder and its files are readable by their user only',
  { skip: process.platform === 'win32' },
  async (t) => {
    const dataDir = folder(t);
    const unlock = lockDataFolder(dataDir);
    const store = await openStore({ databaseUrl: null, dataDir });
    const modeOf = (name: string): string => (statSync(join(dataDir, name)).mode & 0o777).toString(8);
    assert.equal(modeOf('.'), '700');
    for (const name of ['plumbline.db', 'plumbline.db-wal', 'plumbline.db-shm', 'serve.lock']) {
      assert.equal(modeOf(name), '600', name);
    }
    await store.close();
    unlock();
  },
);

test(
  'a second connection of a process keeps the lock of the first on the database',
  { skip: !existsSync('/proc/locks') },
  async (t) => {
    const dataDir = folder(t);
    const first = await openStore({ databaseUrl: null, dataDir });
    // As each thread of the service does.
    const second = await openStore({ databaseUrl: null, dataDir });
    const { ino } = statSync(join(dataDir, 'plumbline.db'));
    assert.match(readFileSync('/proc/locks', 'utf8'), new RegExp(`READ +${process.pid} \\S+:${ino} `));
    await second.close();
    await first.close();
  },
);
