#!/usr/bin/env -S node --max-semi-space-size=4
// Plain JavaScript on purpose: it must run on an old Node to say that Node is too old.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 24;
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const pinned = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) {
  await import(main);
} else if (existsSync(pinned)) {
  const child = spawnSync(pinned, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exit(child.status ?? 1);
} else {
  console.error(
    `plumbline needs Node ${OLDEST_NODE} or newer; this is ${process.version}. ` +
      'Run "npm ci" in the plumbline folder, which installs the right Node beside it.',
  );
  process.exit(1);
}
