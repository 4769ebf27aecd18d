import { openThread } from '../threads/open-thread.ts';
import type { LogEntry, WriteValuations } from './valuation-log.ts';

/**
 * Writes valuations from a thread with its own connection. A SQLite commit blocks its thread while it flushes to disk
 * (1–4 ms) and while it moves its log into the database file (about 5 ms). In its own thread it delays only the
 * requests whose rows are being committed. PostgreSQL does this on the server and needs no thread.
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
      await thread.call(entries);
    },
    close: thread.close,
  };
}
