import { openThread } from '../threads/open-thread.ts';
import type { LogEntry, WriteValuations } from './valuation-log.ts';

/**
 * Writes valuations from a thread with its own connection. SQLite's commits flush to the disk (1–4 ms) and now
 * and then move 32 MB of its log into the file (50–100 ms), and stop their thread meanwhile: here nobody waits on it
 * but those whose rows are being committed. PostgreSQL does all that elsewhere and needs no thread.
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
