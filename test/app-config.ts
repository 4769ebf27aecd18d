import { tmpdir } from 'node:os';

/** The settings of a server under test. */
export const TEST_CONFIG = {
  maxConnections: 1000,
  metricsToken: null,
  trustedProxies: [],
  mapTilesUrl: null,
  dataDir: tmpdir(),
} as const;
