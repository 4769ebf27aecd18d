// Plain JavaScript on purpose: `npm ci` runs it on any Node version, and without the packages that only the
// build needs.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 24;
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const pinned = pathOf('../node_modules/.bin/node');
const isNew = Number(process.versions.node.split('.')[0]) >= OLDEST_NODE;

if (!existsSync(pathOf('../node_modules/vite'))) {
  console.log(
    'The console was not built, because vite is a development package. Everything else works. ' +
      'For the console, run "npm ci" without --omit=dev, or install what "npm pack" makes.',
  );
} else {
  const node = isNew || !existsSync(pinned) ? process.execPath : pinned;
  const child = spawnSync(node, [pathOf('./build.ts')], { stdio: 'inherit' });
  process.exit(child.status ?? 1);
}
