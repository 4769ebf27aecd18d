import { createPostgresOn } from '../harness/store/engines.ts';
import { findPostgres, startPostgres } from '../harness/store/postgres.ts';
import { cutOffUnderLoad } from './cut-off-database.ts';
import type { FaultRun } from './fault-run.ts';
import { createFaultMarket } from './fault-market.ts';

export const postgresRestarts: FaultRun = {
  name: 'postgres-restarts',
  guarantee:
    'PostgreSQL restarts as after a power cut under load: no returned valuation is lost, each is charged once, and requests succeed again within 10 s',
  counts: { of: 'restarts', small: 4, full: 20 },
  async run(order) {
    const found = findPostgres();
    if ('missing' in found) throw new Error(found.missing);
    const postgres = await startPostgres(found.bin);
    const market = await createFaultMarket(await createPostgresOn(postgres.url));
    const servedUrl = market.database.settings.databaseUrl ?? '';
    const figures = await cutOffUnderLoad(order, { market, servedUrl, cut: postgres.restart });
    postgres.stop();
    return figures;
  },
};
