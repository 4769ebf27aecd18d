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

/** A method for every operation, plus three other ways to call some of them: dry runs, lines and pages. */
export interface Client extends Operations {
  readonly dryRun: DryRuns;
  readonly lines: Lines;
  readonly each: Each;
}

export function createClient(options: ClientOptions): Client {
  const { call, callFile, callLines } = createCalls(options);
  const operations = bindOperations(call, callFile);
  return {
    ...operations,
    dryRun: bindDryRuns(call),
    lines: bindLines(callLines),
    each: bindEach(operations),
  };
}
