import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import type { ObjectStoreSetting } from '../../../src/config.ts';

const PROGRAM = new URL('../../../node_modules/s3rver/bin/s3rver.js', import.meta.url).pathname;
const BUCKET = 'bucket';
/** The only key that s3rver knows. It does not check signatures. */
const KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', sessionToken: null };

/** Of a server on this machine. */
export function localSetting(port: number, over: Partial<ObjectStoreSetting> = {}): ObjectStoreSetting {
  return {
    bucket: BUCKET,
    prefix: 'town/',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    ...KEY,
    allowCidrs: ['127.0.0.0/8'],
    ...over,
  };
}

/** Object storage in a process and a folder of its own, with one bucket. */
export async function startS3(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 's3-'));
  const options = ['-d', directory, '-a', '127.0.0.1', '-p', '0', '-s', '--configure-bucket', BUCKET];
  const server = spawn(process.execPath, [PROGRAM, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(async () => {
    const exited = once(server, 'exit');
    if (server.exitCode === null && server.signalCode === null && server.kill()) await exited;
    rmSync(directory, { recursive: true });
  });
  let port = 0;
  for await (const line of createInterface(server.stdout)) {
    port = Number(/listening on .*:(\d+)$/.exec(line)?.[1] ?? 0);
    if (port > 0) break;
  }
  const folder = join(directory, BUCKET);
  return {
    port,
    setting: (over: Partial<ObjectStoreSetting> = {}) => localSetting(port, over),
    /** The keys of all objects, complete or not, as the server has them on the disk. */
    keys: (): string[] =>
      existsSync(folder)
        ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
            .filter((name) => name.endsWith('._S3rver_object'))
            .map((name) => name.replace('._S3rver_object', ''))
            .sort()
        : [],
    /** The file of an object, to damage it. */
    pathOf: (key: string): string => join(folder, `${key}._S3rver_object`),
  };
}
