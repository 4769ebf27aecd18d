import process from 'node:process';
import { findPostgres, POSTGRES_URL, REQUIRE_POSTGRES, startPostgres } from './harness/store/postgres.ts';

/**
 * Starts a PostgreSQL for all who are given this environment, and puts its URL there. Returns the sentence to print where there
 * is none to start.
 */
export async function providePostgres(environment: NodeJS.ProcessEnv): Promise<string | null> {
  if (environment[POSTGRES_URL]) return null;
  const found = findPostgres();
  if ('bin' in found) {
    const { url } = await startPostgres(found.bin);
    environment[POSTGRES_URL] = url;
    return null;
  }
  if (environment[REQUIRE_POSTGRES] === '1') {
    console.error(`${REQUIRE_POSTGRES}=1, but ${found.missing}.`);
    process.exit(1);
  }
  return `PostgreSQL tests are SKIPPED: ${found.missing}.`;
}
