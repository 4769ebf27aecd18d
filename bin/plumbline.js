#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=4
// Plain JavaScript on purpose, without newer syntax: it must run on an old Node to say that Node is too old.
import { spawnSync } from 'child_process';
import { existsSync } from 'fs';
import module from 'module';
import { fileURLToPath } from 'url';

const OLDEST_NODE = 24;
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
/** The sources in a checkout; the compiled program in a package, because Node strips no types under node_modules. */
const main = existsSync(pathOf('../src/main.ts')) ? '../src/main.ts' : '../dist/main.js';
/** The Node that `npm ci` installs in a checkout. */
const pinned = pathOf('../node_modules/.bin/node');

/*
 * Compiled code is kept here, which halves the start of a command, and threads of a checkout need not load the part of Node
 * that strips types. The folder belongs to the installation: compiled code from a folder that other users may write could be
 * theirs. Where it cannot be written, nothing is kept. Threads and other processes get the folder from the environment.
 */
if (process.env.NODE_COMPILE_CACHE === undefined) {
  process.env.NODE_COMPILE_CACHE = pathOf('../node_modules/.cache/compile/');
}
if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) {
  module.enableCompileCache();
  import(main);
} else if (existsSync(pinned)) {
  const child = spawnSync(pinned, ['--max-semi-space-size=4', pathOf(main)].concat(process.argv.slice(2)), {
    stdio: 'inherit',
  });
  process.exit(child.status === null ? 1 : child.status);
} else {
  console.error(
    `plumbline needs Node ${OLDEST_NODE} or newer, and this is ${process.version}: install a newer Node from nodejs.org.`,
  );
  process.exit(1);
}
