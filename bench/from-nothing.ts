/**
 * How long it takes from nothing to the first value: the README's two commands in a new clone of this repository, the steps
 * of the container image, and a backup of the sample county that is restored into an empty folder:
 *
 *   node bench/from-nothing.ts
 *
 * About four minutes. It clones what is committed. Linux only, as the container's steps are.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { buildImage } from '../test/install/containerfile.ts';
import { checkPages, checkValue, copyContext, ROOT, run, withInstalled } from '../test/install/installed.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-from-nothing-'));
const clone = join(folder, 'clone');
const dataDir = join(folder, 'data');

function print(seconds: number, what: string): void {
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${what}`);
}

async function timed<T>(what: string, act: () => T | Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await act();
  print((performance.now() - startedAt) / 1000, what);
  return result;
}

/** Runs `npm start` until it has printed its key and the first value is there. */
async function startOnce(): Promise<void> {
  const port = '8499';
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...process.env, PLUMBLINE_DATA: dataDir, PORT: port },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    for await (const line of createInterface(child.stderr)) {
      const [key] = /plb_test_\w+/.exec(line) ?? [];
      if (key === undefined) continue;
      await checkPages(`http://127.0.0.1:${port}`, { hasConsole: true });
      await checkValue(`http://127.0.0.1:${port}`, key);
      return;
    }
    throw new Error('npm start ended without printing an API key');
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await ended;
  }
}

try {
  run('git', ['clone', '--quiet', ROOT, clone], folder);
  await timed('npm ci', () => run('npm', ['ci', '--silent'], clone));
  await timed(
    'npm start: the sample county is generated, trained and served; a value and its report',
    startOnce,
  );
  await timed('npm start again, with the same value and report', startOnce);

  const plumbline = (args: readonly string[], data: string) =>
    run(process.execPath, ['bin/plumbline.js', ...args], clone, data);
  const [backup, restored] = [join(folder, 'backup'), join(folder, 'restored')];
  await timed('plumbline backup', () => plumbline(['backup', backup], dataDir));
  await timed('plumbline restore into an empty folder', () => plumbline(['restore', backup], restored));
  const program = [join(clone, 'bin/plumbline.js'), 'serve'];
  await timed('plumbline serve on what was restored, and its end', () =>
    withInstalled({ dataDir: restored, program }, (url) => checkPages(url, { hasConsole: true })),
  );

  const context = join(folder, 'context');
  copyContext(context);
  const image = await timed('all steps of the container image', () =>
    buildImage(join(ROOT, 'Containerfile'), context, folder),
  );
  for (const { instruction, seconds } of image.steps) if (seconds > 0.5) print(seconds, `  ${instruction}`);
} finally {
  rmSync(folder, { recursive: true });
}
