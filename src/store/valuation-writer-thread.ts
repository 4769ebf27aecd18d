import { openThread } from '../threads/open-thread.ts';
import type { LogEntry, WriteValuations } from './valuation-log.ts';

/**
 * Writes valuations in a thread with its own connection. A commit of SQLite flushes to the disk (1–4 ms), sometimes moves
 * 32 MB of its log into the file (50–100 ms), and blocks its thread meanwhile. In this thread, only the requests whose
 * rows are being committed wait for it. PostgreSQL commits in its own process and needs no thread.
 */
export function openValuationWriter(dataDir: string): {
  readonly write: WriteValuations;
  readonly close: () => Promise<void>;
} {
  const thread = openThread<readonly LogEntry[], null>(new URL('./valuation-writer.ts', import.meta.url), {
    dataDir,
  });
  return {
    write: async (entries) => {
      await thread.ask(entries);
    },
    close: thread.close,
  };
}
