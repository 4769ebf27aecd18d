import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, test } from 'node:test';
import { engines } from './harness/store/engines.ts';
import { startServe } from './faults/serve-process.ts';

const [sqlite] = engines;

/** Makes SIGUSR2 throw an uncaught error and SIGHUP cause an unhandled rejection. */
const BREAKING = `data:text/javascript,
  process.on('SIGUSR2', () => setImmediate(() => { throw new Error('on purpose'); }));
  process.on('SIGHUP', () => void Promise.reject(new Error('on purpose')));`;

/** Starts a server on an empty database. */
async function serveNothing() {
  const database = await sqlite.create();
  after(() => database.drop());
  return startServe(database, { nodeArguments: ['--import', BREAKING] });
}

const readiness = async (url: string): Promise<number> => (await fetch(`${url}/readyz`)).status;

test('after an uncaught error a process logs it, serves until balancers stop sending, and exits with 1', async () => {
  const servers = await Promise.all([serveNothing(), serveNothing()]);
  for (const [i, signal] of (['SIGUSR2', 'SIGHUP'] as const).entries()) {
    const { url, child, lines } = servers[i];
    assert.equal(await readiness(url), 200);
    child.kill(signal);
    while ((await readiness(url)) === 200) await sleep(10);
    assert.equal(await readiness(url), 503, 'it still responds');
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    const fatal = lines().filter((line) => line.level === 60);
    assert.equal(fatal.length, 1);
    assert.match(JSON.stringify(fatal[0].err), /on purpose/);
  }
  assert.deepEqual(await Promise.all(servers.map(({ ended }) => ended)), [1, 1]);
});

test('SIGTERM ends a process with 0 after all responses, and a second signal ends it with 1 at once', async () => {
  const [patient, hurried] = await Promise.all([serveNothing(), serveNothing()]);
  hurried.child.kill('SIGTERM');
  while ((await readiness(hurried.url)) === 200) await sleep(10);
  hurried.child.kill('SIGTERM');
  assert.equal(await hurried.ended, 1);
  patient.child.kill('SIGTERM');
  assert.equal(await patient.ended, 0, JSON.stringify(patient.lines().slice(-6)));
  assert.equal(patient.lines().at(-1)?.msg, 'stopped', 'all running work ended');
});
