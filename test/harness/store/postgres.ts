import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/**
 * A PostgreSQL server for tests: in a temporary folder, on a free loopback port, stopped when this process
 * ends.
 */
interface TestPostgres {
  /** The URL of the `postgres` database. */
  readonly url: string;
  readonly stop: () => void;
  /**
   * Stops the server as a power cut would (`-m immediate`) and starts it again. It returns at once, so poll
   * until the server responds.
   */
  readonly restart: () => void;
  /** Makes a standby the primary. */
  readonly promote: () => void;
}

/** Environment variable of test processes: 1 makes a missing PostgreSQL a failure. */
export const REQUIRE_POSTGRES = 'PLUMBLINE_TEST_REQUIRE_POSTGRES';
/** Environment variable of test processes: the server that test/run.ts started for all of them. */
export const POSTGRES_URL = 'PLUMBLINE_TEST_POSTGRES_URL';

const START_MS = 60_000;

/** The folder of the server's programs, or a sentence that says why there is none. */
export function findPostgres(): { bin: string } | { missing: string } {
  const config = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [
    config.stdout?.trim() ?? '',
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const bin = candidates.find((folder) => folder !== '' && existsSync(join(folder, 'initdb')));
  if (bin === undefined) {
    return { missing: 'no PostgreSQL server is installed (Debian: apt-get install postgresql)' };
  }
  if (isRoot() && spawnSync('id', ['-u', 'postgres']).status !== 0) {
    return { missing: 'PostgreSQL does not run as root, and there is no user "postgres" to run it as' };
  }
  return { bin };
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Reads the password from standard input, restarts or is promoted at each further line, and stops when the input ends.
 * A new server, or with \$3 a standby of the server of that URL. The input ends when the test process ends in any way (also by SIGKILL), so no server is left behind. fsync
 * stays on, because some tests are about durability. The ICU locale sorts text differently from its bytes, as
 * production servers do.
 */
const SCRIPT = `
set -eu
bin=$1 port=$2 primary=$3
read -r password
dir=$(mktemp -d "\${TMPDIR:-/tmp}/plumbline-postgres-XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap '' INT
cd "$dir"
printf '%s\\n' "$password" > password
if [ -n "$primary" ]; then
  "$bin/pg_basebackup" -d "$primary" -D data -R -c fast > log 2>&1 || { cat log >&2; exit 1; }
else
  "$bin/initdb" -D data -U postgres -A scram-sha-256 --pwfile=password -E UTF8 \
    --locale=C.UTF-8 --locale-provider=icu --icu-locale=en-US > log 2>&1 || { cat log >&2; exit 1; }
fi
start() {
  "$bin/postgres" -D data -c listen_addresses=127.0.0.1 -c port="$port" -c unix_socket_directories="$dir" \
    -c max_connections=200 >> log 2>&1 &
  server=$!
}
start
while read -r order; do
  if [ "$order" = promote ]; then
    "$bin/pg_ctl" -D data promote -W >> log 2>&1
  else
    kill -QUIT "$server"
    wait "$server" || true
    start
  fi
done
kill -QUIT "$server"
wait "$server" || true
`;

/**
 * Starts a server and waits until it responds. Throws if it does not.
 *
 * @param primaryUrl the server that it follows as a standby
 */
export async function startPostgres(bin: string, primaryUrl: string | null = null): Promise<TestPostgres> {
  const port = await freePort();
  const password = primaryUrl === null ? randomBytes(16).toString('hex') : new URL(primaryUrl).password;
  const shell = ['sh', '-c', SCRIPT, 'plumbline-test-postgres', bin, String(port), primaryUrl ?? ''];
  const [program, ...args] = isRoot() ? ['runuser', '-u', 'postgres', '--', ...shell] : shell;
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.on('error', () => {});
  child.stdin.write(`${password}\n`);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const deadline = performance.now() + START_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.stdin.end();
      throw new Error('PostgreSQL for tests did not start; its output is above');
    }
    await sleep(50);
  }
  // The server does not keep the test process alive. When that process ends, the server stops.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  const order = (text: string) => () => void child.stdin.write(`${text}\n`);
  return { url, stop: () => child.stdin.end(), restart: order('restart'), promote: order('promote') };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
