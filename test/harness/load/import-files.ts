import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../src/store/store.ts';
import type { TestEngine } from '../store/engines.ts';
import type { ImportDeps } from '../../../src/load/import-options.ts';

/** What an import test needs: an empty store, a folder for files and a fixed clock. */
export interface ImportFixture {
  readonly store: Store;
  readonly deps: ImportDeps;
  /** Writes a file and returns its path. */
  readonly file: (name: string, text: string | Buffer) => string;
  readonly close: () => Promise<void>;
}

export async function openImportFixture(engine: TestEngine, now = '2026-01-31'): Promise<ImportFixture> {
  const store = await engine.open();
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-import-'));
  return {
    store,
    deps: { store, dataDir, clock: () => new Date(`${now}T12:00:00Z`) },
    file: (name, text) => {
      const path = join(dataDir, name);
      writeFileSync(path, text);
      return path;
    },
    close: async () => {
      await store.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
