import process from 'node:process';
import { findPostgres, POSTGRES_URL, REQUIRE_POSTGRES, startPostgres } from './harness/store/postgres.ts';

/**
 * Starts PostgreSQL for all processes that get this environment, and puts its URL there. If PostgreSQL is not
 * available, returns the sentence to print.
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
