import { backupUnderLoad } from './backup-under-load.ts';
import { cappedLedger } from './capped-ledger.ts';
import { pgbouncerRestarts, standbyTakesOver } from './database-fails-over.ts';
import { composedServers } from './composed-servers.ts';
import { diskFull } from './disk-full.ts';
import type { FaultRun } from './fault-run.ts';
import { idempotentSubmits } from './idempotent-submits.ts';
import { mutatedKeys, revokedKeys } from './keys.ts';
import { clockSteps, nodeKills, rollingRestarts } from './nodes-lost.ts';
import { portfolioKillsPostgres, portfolioKillsSqlite } from './portfolio-kills.ts';
import { postgresRestarts } from './postgres-restarts.ts';
import { submitKills } from './submit-kills.ts';
import { badReceivers, hostileCallbacks } from './webhook-receivers.ts';
import { webhookSignatures } from './webhook-signatures.ts';
import { sweepDiskFull, sweepKillsPostgres, sweepKillsSqlite } from './sweep-faults.ts';
import { workKillsPostgres, workKillsSqlite } from './work-kills.ts';

/** All runs in order, the quick ones first. */
export const FAULT_RUNS: readonly FaultRun[] = [
  webhookSignatures,
  hostileCallbacks,
  badReceivers,
  mutatedKeys,
  revokedKeys,
  diskFull,
  sweepDiskFull,
  backupUnderLoad,
  cappedLedger,
  postgresRestarts,
  pgbouncerRestarts,
  standbyTakesOver,
  nodeKills,
  rollingRestarts,
  clockSteps,
  composedServers,
  idempotentSubmits,
  submitKills,
  workKillsSqlite,
  workKillsPostgres,
  sweepKillsSqlite,
  sweepKillsPostgres,
  portfolioKillsSqlite,
  portfolioKillsPostgres,
];
