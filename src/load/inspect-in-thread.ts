import { openThread } from '../threads/open-thread.ts';
import type { Inspection, InspectOptions } from './inspect-file.ts';

export interface InspectCall {
  readonly path: string;
  readonly options: InspectOptions;
}

/** Inspects a file in a thread of its own, which ends afterwards: reading a large file takes minutes and gigabytes. */
export async function inspectInThread(path: string, options: InspectOptions): Promise<Inspection> {
  const module = new URL('./inspect-thread.ts', import.meta.url);
  const thread = openThread<InspectCall, Inspection>(module, {});
  try {
    return await thread.call({ path, options });
  } finally {
    await thread.terminate();
  }
}
