import type { Study } from '../jobs/studies.ts';
import { queueStudy } from '../jobs/studies.ts';
import { newId, withStore } from './compose.ts';
import { printJson, printLine } from './print.ts';

/** Hands a study to whichever `serve` or `work` process comes to it first. */
export async function queueAndSay(study: Study, isJson: boolean): Promise<void> {
  const jobId = await withStore((store) => queueStudy({ store, clock: store.clock, newId }, study));
  if (isJson) return printJson({ jobId });
  printLine(
    `Queued as ${jobId}. A process that serves or works runs it; "plumbline jobs" tells how it goes.`,
  );
}

/** Options as they stand on a command line; those left out are null, flags true or false. */
export function optionsLine(
  options: Readonly<Record<string, string | boolean | null | undefined>>,
): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === true) return [name];
    return typeof value === 'string' ? [name, value] : [];
  });
}
