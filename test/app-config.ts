import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The default settings. */
export const TEST_RETENTION = {
  valuationsDays: null,
  auditDays: null,
  deliveriesDays: 30,
  jobsDays: 30,
} as const;
export const RESULTS_KEPT_MS = 30 * 86_400_000;

/** The settings of a server under test. */
export const TEST_CONFIG = {
  maxConnections: 1000,
  // Tests check what responses say, also on a machine that is busy with other programs.
  responseSeconds: 25,
  metricsToken: null,
  trustedProxies: [],
  mapTilesUrl: null,
  publicUrl: null,
  // Of this process alone: housekeeping deletes staged files that its own store does not know.
  dataDir: mkdtempSync(join(tmpdir(), 'data-')),
} as const;

const UNLIMITED = { waitSeconds: () => 0, countFailure: () => {} };
/** Tests open more links in a minute than people do. */
export const NO_SHARE_LIMITS = { misses: UNLIMITED, openings: UNLIMITED };
