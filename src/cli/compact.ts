import type { Command } from 'commander';
import { formatBytes } from '../domain/display-format.ts';
import { usageError } from '../errors.ts';
import { compactFile, readFileSpace, type FileSpace } from '../store/free-space.ts';
import type { Store } from '../store/store.ts';
import { withServedStore } from './configured-store.ts';
import type { JsonOption } from './options.ts';
import { printResult } from './print.ts';

export function registerCompact(program: Command): void {
  program
    .command('compact')
    .action((options: JsonOption) => withServedStore((store) => compact(store, options)));
}

async function compact(store: Store, options: JsonOption): Promise<void> {
  if (store.engine === 'postgres') {
    throw usageError(
      'PostgreSQL makes the space of deleted rows usable again by itself (autovacuum). To return it to the disk, see ' +
        'docs/operations/retention.md.',
    );
  }
  const before = sizeOf(await readFileSpace(store));
  await compactFile(store);
  const after = sizeOf(await readFileSpace(store));
  const sentence = `The database has ${formatBytes(after)} instead of ${formatBytes(before)}. From now on the space of deleted rows is returned while serving.`;
  printResult(options, { bytesBefore: before, bytes: after }, sentence);
}

function sizeOf({ pages, pageBytes }: FileSpace): number {
  return pages * pageBytes;
}
