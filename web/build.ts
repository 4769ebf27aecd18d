import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const WEB = import.meta.dirname;
const DIST = join(WEB, 'dist');
/** The file that holds the hash of the sources of a build. */
const STAMP = 'sources.sha256';

/** The first versions that support `light-dark()`. For older ones the build would add a workaround. */
const BROWSERS = ['chrome123', 'firefox121', 'safari17.5'];

/**
 * Builds web/ into web/dist, unless the existing build has the same sources. Returns a sentence about what it
 * did.
 */
export async function buildConsole(): Promise<string> {
  const sources = hashOfSources();
  if (stampOf(DIST) === sources) return 'The console is built already.';
  const startedAt = performance.now();
  // Builds in a separate folder that then replaces the old one, so that a second build or a running server
  // never sees a partial build.
  const folder = join(WEB, `.dist-${process.pid}`);
  mkdirSync(folder);
  try {
    await buildInto(folder);
    compress(folder);
    writeFileSync(join(folder, STAMP), sources);
    rmSync(DIST, { recursive: true, force: true });
    renameSync(folder, DIST);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return `The console was built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`;
}

async function buildInto(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: WEB,
    base: '/console/',
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      target: BROWSERS,
      // The content security policy allows our own files but no inlined content.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // MapLibre is 1 MB and loads only with the map.
      chunkSizeWarningLimit: 1500,
      // Warnings about slow builds only reflect a slow machine.
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  });
}

/** Compresses the files at build time, because the service compresses nothing while serving. */
function compress(folder: string): void {
  for (const name of globSync('**/*.{html,js,mjs,css,svg,json}', { cwd: folder })) {
    const file = join(folder, name);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  }
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  // The console also compiles code of src/domain.
  const files = globSync('{index.html,build.ts,tsconfig.json,src/**/*.*,../src/domain/**/*.ts}', { cwd: WEB })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => join(WEB, file));
  for (const file of [...files.sort(), join(WEB, '..', 'package-lock.json')]) {
    hash
      .update(`${relative(WEB, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function stampOf(folder: string): string | null {
  try {
    return readFileSync(join(folder, STAMP), 'utf8');
  } catch {
    return null;
  }
}

if (import.meta.main) {
  console.log(await buildConsole());
  process.exitCode = 0;
}
