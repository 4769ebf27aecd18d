import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { buildImage, type BuiltImage } from './containerfile.ts';
import { checkPages, copyContext, ROOT, withInstalled } from './installed.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-container-'));
after(() => rmSync(folder, { recursive: true }));
let image: BuiltImage;

before(() => {
  // Other users must be able to enter it.
  chmodSync(folder, 0o755);
  const context = join(folder, 'context');
  copyContext(context);
  image = buildImage(join(ROOT, 'Containerfile'), context, folder);
  for (const { instruction, seconds } of image.steps) {
    if (seconds > 0.5) console.log(`${seconds.toFixed(1).padStart(6)} s  ${instruction}`);
  }
});

test('the image has the compiled program, no source and no development package', () => {
  const has = (path: string): boolean => existsSync(join(image.root, 'app', path));
  assert.ok(has('dist/main.js') && has('web/dist/index.html') && has('node_modules/fastify'));
  assert.deepEqual(['src', 'test', 'web/src', 'node_modules/vite', 'node_modules/node'].filter(has), []);
});

test('the image serves as a user who can write nothing but the volume, and its health check sees it', async (t) => {
  assert.equal(image.user, '1000:1000');
  assert.deepEqual(image.volumes, ['/data']);
  // The image brings its own Node.
  const node = join(image.root, 'usr/local/bin/node');
  mkdirSync(join(node, '..'), { recursive: true });
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  const [program, ...words] = image.command;
  assert.equal(program, 'node');
  const cwd = join(image.root, image.workdir);
  const dataDir = join(image.root, image.environment.PLUMBLINE_DATA);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) assert.equal(statSync(dataDir).uid, 1000);
  else t.diagnostic('not run as another user, because only root can become one');
  const under = isRoot ? ['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups', '--no-new-privs'] : [];
  const asUser = (command: readonly string[]) => [...under, ...command];
  execFileSync('chmod', ['-R', 'a-w', cwd]);
  try {
    const [test_, ...arguments_] = asUser(['test', '-w', cwd]);
    assert.equal(spawnSync(test_, arguments_).status, 1, 'the program can be changed');
    const nodeArguments = words.filter((word) => word.startsWith('--'));
    const [script, ...rest] = words.slice(nodeArguments.length);
    const options = { dataDir, under, node, nodeArguments, program: [join(cwd, script), ...rest] };
    await withInstalled(options, async (url) => {
      await checkPages(url, { hasConsole: true });
      const [checker, ...args] = image.healthcheck;
      assert.equal(checker, 'node');
      const check = (port: string) => {
        const [first, ...rest] = asUser([node, ...args]);
        return spawnSync(first, rest, { cwd, env: { PORT: port } }).status;
      };
      assert.equal(check(new URL(url).port), 0);
      assert.equal(check('1'), 1);
    });
  } finally {
    execFileSync('chmod', ['-R', 'u+w', cwd]);
  }
});
