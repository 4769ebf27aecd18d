import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

/** The URL of another file of the program, such as one that a thread runs. The compiler rewrites only imports. */
const OWN_FILE = /(?<=new URL\(')(\.[^']*)(?=', import\.meta\.url\))/g;

/**
 * Compiles src/ to dist/, where every file is as deep as its source, so that `../migrations` and the like are found from
 * both. Node strips no types under node_modules, so a package must not contain TypeScript.
 */
export function compileProgram(): void {
  rmSync(DIST, { recursive: true, force: true });
  execFileSync(process.execPath, [COMPILER, '-p', import.meta.dirname], { stdio: 'inherit' });
  for (const name of globSync('**/*.{css,ico,js}', { cwd: SOURCES })) {
    cpSync(join(SOURCES, name), join(DIST, name));
  }
  const missing = globSync('**/*.js', { cwd: DIST }).flatMap((name) => nameCompiledFiles(join(DIST, name)));
  if (missing.length > 0) throw new Error(`dist/ names files that it does not have:\n${missing.join('\n')}`);
}

/** Makes a compiled file name other compiled files instead of their sources. Returns files that do not exist. */
function nameCompiledFiles(file: string): string[] {
  const code = readFileSync(file, 'utf8').replaceAll(OWN_FILE, (own) => own.replace(/\.ts$/, '.js'));
  writeFileSync(file, code);
  const named = [...code.matchAll(OWN_FILE)].map(([own]) => join(dirname(file), own));
  const sources = /^.*['"`]\.[^'"`]*\.ts['"`].*$/m.exec(code) ?? [];
  // A folder may be built later, as the console is.
  return [...sources, ...named.filter((path) => !path.endsWith('/') && !existsSync(path))];
}

if (import.meta.main) {
  if (!existsSync(COMPILER)) {
    console.error('Compiling needs the development packages: run "npm ci" without --omit=dev.');
    process.exit(1);
  }
  const started = performance.now();
  compileProgram();
  console.log(`The program was compiled to dist/ in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}
