import type { FaultRun } from './fault-run.ts';
import { webhookSignatures } from './webhook-signatures.ts';

/** In the order in which they run: the quick ones first. */
export const FAULT_RUNS: readonly FaultRun[] = [webhookSignatures];
