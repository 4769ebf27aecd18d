import type { ModelCommand } from '../jobs/model-jobs.ts';
import { queueModelJob } from '../jobs/model-jobs.ts';
import { newId, withStore } from './compose.ts';
import { printJson, printLine } from './print.ts';

/** Queues a command for any `serve` or `work` process, and prints the id of its job. */
export async function queueAndPrint(command: ModelCommand, isJson: boolean): Promise<void> {
  const jobId = await withStore((store) => queueModelJob({ store, clock: store.clock, newId }, command));
  if (isJson) return printJson({ jobId });
  printLine(`Queued as ${jobId}. A "serve" or "work" process runs it; "plumbline jobs" shows its progress.`);
}

/** Formats options for a command line. Null options are left out; flags are true or false. */
export function optionsLine(
  options: Readonly<Record<string, string | boolean | null | undefined>>,
): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === true) return [name];
    return typeof value === 'string' ? [name, value] : [];
  });
}
