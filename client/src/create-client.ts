import { createCalls, type ClientOptions } from './call.ts';
import {
  bindDryRuns,
  bindEach,
  bindLines,
  bindOperations,
  type DryRuns,
  type Each,
  type Lines,
  type Operations,
} from './generated/operations.ts';

/** Every operation as a method of its own name, and three other ways to call some of them. */
export interface Client extends Operations {
  readonly dryRun: DryRuns;
  readonly lines: Lines;
  readonly each: Each;
}

export function createClient(options: ClientOptions): Client {
  const { call, callLines } = createCalls(options);
  const operations = bindOperations(call);
  return {
    ...operations,
    dryRun: bindDryRuns(call),
    lines: bindLines(callLines),
    each: bindEach(operations),
  };
}
