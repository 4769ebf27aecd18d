import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findPostgres, startPostgres } from '../harness/store/postgres.ts';
import { temporaryFolder } from '../harness/store/engines.ts';
import { cutOffUnderLoad } from './cut-off-database.ts';
import { startHaproxy, startPgbouncer } from './database-proxies.ts';
import { createFaultMarket } from './fault-market.ts';
import type { FaultRun, Figures } from './fault-run.ts';

/** Server connections that pgbouncer may open: far fewer than those of a `serve`. */
const POOL_SIZE = 4;

/** A server of its own, whose only database a proxy can pass on. */
async function startOwnServer() {
  const found = findPostgres();
  if ('missing' in found) throw new Error(found.missing);
  const postgres = await startPostgres(found.bin);
  const { dataDir, remove } = temporaryFolder();
  const settings = { databaseUrl: postgres.url, dataDir };
  const market = await createFaultMarket({ settings, drop: async () => remove() });
  return { bin: found.bin, postgres, market, remove };
}

async function query(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

export const pgbouncerRestarts: FaultRun = {
  name: 'pgbouncer-restarts',
  guarantee:
    'a server works through pgbouncer in transaction mode with 4 connections, which is killed (SIGKILL) and restarted under load: no returned valuation is lost, each is charged once, and requests succeed again within 10 s',
  counts: { of: 'restarts', small: 4, full: 20 },
  async run(order) {
    const { postgres, market, remove } = await startOwnServer();
    const pgbouncer = await startPgbouncer(postgres.url, POOL_SIZE);
    const measure = async (): Promise<Figures> => {
      const [{ open }] = await query(
        postgres.url,
        `select count(*)::int as open from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      assert.ok(Number(open) <= POOL_SIZE, `${String(open)} connections`);
      return { connections: Number(open) };
    };
    const figures = await cutOffUnderLoad(order, {
      market,
      servedUrl: pgbouncer.url,
      cut: pgbouncer.restart,
      measure,
    });
    pgbouncer.stop();
    postgres.stop();
    remove();
    return figures;
  },
};

export const standbyTakesOver: FaultRun = {
  name: 'standby-takes-over',
  guarantee:
    'the primary is lost under load and its synchronous streaming standby is promoted behind HAProxy: no returned valuation is lost, each is charged once, and requests succeed again within 10 s',
  counts: { of: 'failovers', small: 1, full: 3 },
  async run({ count, seed, onProgress }) {
    const all: Figures[] = [];
    for (let round = 0; round < count; round++) {
      all.push(await failOver(seed + round));
      onProgress(round + 1);
    }
    const sum = (name: string) => all.reduce((total, figures) => total + Number(figures[name]), 0);
    return {
      answered: sum('answered'),
      'slowest back ms': Math.max(...all.map((figures) => Number(figures['slowest back ms']))),
      statuses: all.map(({ statuses }) => statuses).join('; '),
      lost: 0,
    };
  },
};

async function failOver(seed: number): Promise<Figures> {
  const { bin, postgres: primary, market, remove } = await startOwnServer();
  const standby = await startPostgres(bin, primary.url);
  // From now on a commit is acknowledged only when the standby has it, too.
  await query(primary.url, `alter system set synchronous_standby_names = '*'`);
  await query(primary.url, 'select pg_reload_conf()');
  while (
    (await query(primary.url, `select 1 from pg_stat_replication where sync_state = 'sync'`)).length === 0
  )
    await sleep(50);
  const haproxy = await startHaproxy(primary.url, standby.url);
  const cut = (): void => {
    primary.stop();
    standby.promote();
  };
  const order = { count: 1, seed, onProgress: () => {} };
  const keptUrl = () => standby.url;
  const figures = await cutOffUnderLoad(order, { market, servedUrl: haproxy.url, cut, keptUrl });
  haproxy.stop();
  standby.stop();
  remove();
  return figures;
}
