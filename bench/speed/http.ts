import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import type { LoadOrder, Throughput } from './load-generator.ts';

const CONNECTIONS = 32;
const SECONDS = 8;
/** Each thread compiles its own code: after 3 s the tail is still a third longer than after 6. */
const WARM_UP_SECONDS = 6;
const START_TIMEOUT_MS = 120_000;

/** Requests per second at 32 connections to a server on this machine, for a limited time. */
export async function load(url: string, bodies: readonly string[], apiKey: string): Promise<Throughput> {
  const run = (seconds: number): Promise<Throughput> =>
    generate({ url, apiKey, connections: CONNECTIONS, seconds, pace: null, bodies });
  await run(WARM_UP_SECONDS);
  return run(SECONDS);
}

export async function generate(order: LoadOrder): Promise<Throughput> {
  const child = spawn(process.execPath, ['bench/speed/load-generator.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(order));
  const throughput: Throughput = JSON.parse(await text(child.stdout));
  return throughput;
}

interface BenchServer {
  readonly url: string;
  readonly pid: number | undefined;
  /** The CPU time of all its threads so far. Linux only: it reads /proc. */
  readonly cpuMs: () => number;
  readonly stop: () => Promise<void>;
}

/** Of USER_HZ, which is 100 on Linux. */
const MS_PER_TICK = 10;

function cpuMsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return MS_PER_TICK * (Number(fields[11]) + Number(fields[12]));
}

/**
 * Starts a server in a separate process and waits until it is ready; `stop` ends the process and waits for
 * it.
 */
export async function startServer(
  command: (port: number) => { args: readonly string[]; environment: Readonly<Record<string, string>> },
): Promise<BenchServer> {
  const port = await freePort();
  const { args, environment } = command(port);
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswering(url, child);
  return {
    url,
    pid: child.pid,
    cpuMs: () => cpuMsOf(child.pid),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGINT');
      }),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address !== 'string') resolve(address.port);
        else reject(new Error('no free port'));
      });
    });
  });
}

async function untilAnswering(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server at ${url} ended with ${child.exitCode}`);
    const answered = await fetch(`${url}/healthz`, { method: 'POST', body: '{}' }).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGKILL');
  throw new Error(`the server at ${url} did not answer within ${START_TIMEOUT_MS / 1000} s`);
}
