import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { findChromium } from './chromium.ts';
import { openConsole, type OpenConsole } from './open-console.ts';

/**
 * Opens the console on a copy of an installation's data. The original does not change. Prints on stderr what
 * the data lacks.
 */
export async function withCopyOf(data: string, look: (under: OpenConsole) => Promise<void>): Promise<void> {
  const found = findChromium();
  const isThere = existsSync(join(data, 'plumbline.db'));
  if ('missing' in found || !isThere) {
    console.error(
      'missing' in found
        ? found.missing
        : `There is no plumbline.db in ${resolve(data)}: run npm start once.`,
    );
    process.exitCode = 1;
    return;
  }
  const copy = mkdtempSync(join(tmpdir(), 'plumbline-look-'));
  try {
    cpSync(data, copy, { recursive: true });
    const under = await openConsole(found.path, { databaseUrl: null, dataDir: copy });
    try {
      await look(under);
    } finally {
      await under.close();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
