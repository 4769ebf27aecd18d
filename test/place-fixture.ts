import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { composeOperations } from '../src/cli/compose-operations.ts';
import type { Clock } from '../src/clock.ts';
import type { ImportDeps } from '../src/load/import-options.ts';
import type { OperationDeps } from '../src/operations/deps.ts';
import { openMarkets } from '../src/operations/market-data/markets.ts';
import { openPlaces } from '../src/places/open-places.ts';
import type { Store } from '../src/store/store.ts';
import { startTestApp } from './test-app.ts';
import type { Json } from './json.ts';

export interface PlaceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Json;
}

/** The whole service on one store without a market: what place tests need. */
export interface PlaceService {
  readonly app: FastifyInstance;
  readonly imports: ImportDeps;
  /** Writes a file for an import and returns its path. */
  readonly file: (name: string, content: string | Buffer) => string;
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<PlaceAnswer>;
  readonly get: (url: string) => Promise<PlaceAnswer>;
  readonly close: () => Promise<void>;
}

const NOW = new Date('2026-06-30T12:00:00Z');

export async function startPlaceService(store: Store): Promise<PlaceService> {
  const clock: Clock = () => NOW;
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-place-'));
  let catalogMs = NOW.getTime();
  // The dataset list is cached for a second. Each read of this clock moves it two seconds, so the list is
  // always fresh.
  const markets = openMarkets(store, () => new Date((catalogMs += 2000)));
  const operations: OperationDeps = {
    ...composeOperations(store),
    clock,
    markets,
    places: openPlaces(store, markets.datasets),
  };
  const { app, key } = await startTestApp(operations);
  const ask = async (
    request: { method: 'GET' | 'POST'; url: string; payload?: string },
    headers: Record<string, string>,
  ): Promise<PlaceAnswer> => {
    const response = await app.inject({ ...request, headers: { 'x-api-key': key, ...headers } });
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  };
  return {
    app,
    imports: { store, clock, dataDir: folder },
    file: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    post: (url, body, headers = {}) =>
      ask(
        { method: 'POST', url, payload: JSON.stringify(body) },
        { 'content-type': 'application/json', ...headers },
      ),
    get: (url) => ask({ method: 'GET', url }, {}),
    close: async () => {
      await app.close();
      await operations.valuationLog.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
