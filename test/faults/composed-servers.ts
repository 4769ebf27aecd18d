import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isRoot } from '../harness/store/postgres.ts';
import { engineOf } from './fault-engines.ts';
import { createFaultMarket } from './fault-market.ts';
import type { FaultRun } from './fault-run.ts';
import { answersMore, judge, startMixedLoad } from './nodes-lost.ts';
import { startServe, type ServeProcess } from './serve-process.ts';
import { startWork } from './work-process.ts';

/** Debian keeps servers outside the PATH of users. */
const ENVIRONMENT = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
const STOP_WITHIN_MS = 15_000;
/** HAProxy checks each server every second, and counts one good check. */
const NOTICED_MS = 2500;

/**
 * Configuration files that operators use, with the names of compose.yaml replaced by addresses here. Fails if a name is
 * missing, because then the file has changed.
 */
function written(file: string, target: string, replaced: Readonly<Record<string, string>>): string {
  let text = readFileSync(file, 'utf8');
  for (const [name, value] of Object.entries(replaced)) {
    assert.ok(text.includes(name), `${file} has no "${name}"`);
    text = text.replaceAll(name, value);
  }
  writeFileSync(target, text, { mode: 0o644 });
  return target;
}

const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Runs a program of the machine until it is closed. */
function start(program: string, args: readonly string[]): () => Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: ENVIRONMENT });
  running.add(child);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
  return async () => {
    running.delete(child);
    child.kill('SIGTERM');
    await ended;
  };
}

/** pgbouncer with deploy/pgbouncer/pgbouncer.ini in front of a database. It does not run as root. */
async function startPooler(folder: string, databaseUrl: string) {
  const { hostname, port, pathname, username, password, searchParams } = new URL(databaseUrl);
  const searchPath = (searchParams.get('options') ?? '').replace('-c ', '');
  const listening = await freePort();
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${username}" "${password}"\n`);
  const file = written('deploy/pgbouncer/pgbouncer.ini', join(folder, 'pgbouncer.ini'), {
    // Test databases are schemas of one database, chosen by an option that pgbouncer does not pass on.
    'host=postgres port=5432 dbname=plumbline': `host=${hostname} port=${port} dbname=${pathname.slice(1)} connect_query='set ${searchPath}'`,
    'listen_addr = *': 'listen_addr = 127.0.0.1',
    'listen_port = 6432': `listen_port = ${listening}`,
    '/etc/pgbouncer/users.txt': users,
  });
  const command = ['pgbouncer', '--quiet', file];
  const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];
  const [program, ...args] = isRoot() ? [...asPostgres, ...command] : command;
  const close = start(program, args);
  return { url: `postgres://${username}:${password}@127.0.0.1:${listening}/plumbline`, close };
}

export const composedServers: FaultRun = {
  name: 'composed-servers',
  guarantee:
    'two servers and a worker as in compose.yaml, with HAProxy and with pgbouncer in transaction mode as configured there: the servers are stopped and killed in turns under load, no request fails and nothing is lost',
  counts: { of: 'restarts', small: 4, full: 24 },
  async run({ count, onProgress }) {
    for (const program of ['haproxy', 'pgbouncer']) {
      const isMissing = spawnSync(program, ['-h'], { env: ENVIRONMENT }).error !== undefined;
      if (isMissing) throw new Error(`${program} is not installed (Debian: apt-get install ${program})`);
    }
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-compose-'));
    chmodSync(folder, 0o755);
    const market = await createFaultMarket(await engineOf('postgres').create());
    const { dataDir, databaseUrl } = market.database.settings;
    if (databaseUrl === null) throw new Error('PostgreSQL has a URL');
    const pooler = await startPooler(folder, databaseUrl);
    const pooled = { settings: { dataDir, databaseUrl: pooler.url } };
    const ports = [await freePort(), await freePort()];
    const startNode = (PORT: string): Promise<ServeProcess> =>
      startServe(pooled, { environment: { ...market.environment, PORT, JOB_THREADS: '0' } });
    const nodes = await Promise.all(ports.map((port) => startNode(String(port))));
    const work = await startWork(pooled, 'plumbline work');
    const balanced = await freePort();
    const file = written('deploy/haproxy.cfg', join(folder, 'haproxy.cfg'), {
      'bind :8080': `bind 127.0.0.1:${balanced}`,
      'serve-1:8080': `127.0.0.1:${ports[0]}`,
      'serve-2:8080': `127.0.0.1:${ports[1]}`,
    });
    const closeBalancer = start('haproxy', ['-db', '-q', '-f', file]);
    await sleep(NOTICED_MS);
    const url = `http://127.0.0.1:${balanced}`;
    const load = startMixedLoad(url, market.key);
    let slowestMs = 0;
    for (let round = 0; round < count; round++) {
      await answersMore(load);
      const [oldest] = nodes.splice(0, 1);
      const askedAt = performance.now();
      // Each server is stopped and killed in turns.
      const signal = Math.floor(round / 2) % 2 === 0 ? 'SIGTERM' : 'SIGKILL';
      oldest.child.kill(signal);
      assert.equal(await oldest.ended, signal === 'SIGTERM' ? 0 : signal);
      slowestMs = Math.max(slowestMs, performance.now() - askedAt);
      await answersMore(load);
      nodes.push(await startNode(new URL(oldest.url).port));
      await sleep(NOTICED_MS);
      onProgress(round + 1);
    }
    assert.ok(slowestMs <= STOP_WITHIN_MS, `stopping took ${slowestMs} ms`);
    const figures = await judge({ market, balancer: { url }, nodes, load }, async () => {
      assert.equal(await work.stop(), 0);
      await Promise.all([closeBalancer(), pooler.close()]);
    });
    rmSync(folder, { recursive: true });
    return { ...figures, 'slowest stop ms': Math.round(slowestMs) };
  },
};
