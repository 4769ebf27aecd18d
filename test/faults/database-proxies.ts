import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../harness/store/postgres.ts';

/** A program between a server and PostgreSQL. */
interface DatabaseProxy {
  /** PostgreSQL through the proxy. */
  readonly url: string;
  /** Kills it (SIGKILL) and starts it again. */
  readonly restart: () => Promise<void>;
  readonly stop: () => void;
}

const START_MS = 10_000;

/**
 * pgbouncer in transaction mode: each transaction may use another connection.
 *
 * @throws Error without pgbouncer (Debian: apt-get install pgbouncer)
 */
export function startPgbouncer(databaseUrl: string, poolSize: number): Promise<DatabaseProxy> {
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  return startProxy('pgbouncer', databaseUrl, (folder, port) => {
    const users = join(folder, 'users');
    writeFileSync(users, `"${username}" "${password}"\n`);
    return {
      config: `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
server_login_retry = 1
`,
      args: (path) => ['-q', path],
    };
  });
}

/**
 * HAProxy as a TCP balancer that prefers the first of two servers and closes connections to a server that is gone.
 *
 * @throws Error without HAProxy (Debian: apt-get install haproxy)
 */
export function startHaproxy(primaryUrl: string, standbyUrl: string): Promise<DatabaseProxy> {
  const [primary, standby] = [primaryUrl, standbyUrl].map((url) => new URL(url).host);
  return startProxy('haproxy', primaryUrl, (_folder, port) => ({
    config: `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  default-server check inter 200ms fall 2 rise 2 on-marked-down shutdown-sessions
  server primary ${primary}
  server standby ${standby} backup
`,
    args: (path) => ['-f', path, '-db'],
  }));
}

async function startProxy(
  program: string,
  databaseUrl: string,
  configure: (
    folder: string,
    port: number,
  ) => { readonly config: string; readonly args: (path: string) => string[] },
): Promise<DatabaseProxy> {
  const isRoot = process.getuid?.() === 0;
  if (spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status !== 0)
    throw new Error(`${program} is not installed (Debian: apt-get install ${program})`);
  const folder = mkdtempSync(join(tmpdir(), `plumbline-${program}-`));
  const port = await freePort();
  const { config, args } = configure(folder, port);
  const path = join(folder, 'config');
  writeFileSync(path, config);
  // pgbouncer refuses root, and its user has to read the folder.
  if (isRoot) chmodSync(folder, 0o755);
  const command = [program, ...args(path)];
  const [first, ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
    child = spawn(first, rest, { stdio: ['ignore', 'ignore', 'inherit'], env: environment, detached: true });
    const until = performance.now() + START_MS;
    while (!(await listens(port))) {
      if (performance.now() > until) throw new Error(`${program} does not listen`);
      await sleep(20);
    }
  };
  // runuser is the parent of the program, so the whole group is killed.
  const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
  await start();
  process.once('exit', () => {
    if (child.exitCode === null && child.signalCode === null) kill();
  });
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    restart: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      kill();
      await ended;
      await start();
    },
    stop: () => {
      kill();
      rmSync(folder, { recursive: true });
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
