import type { Command } from 'commander';
import { listen } from './listen.ts';
import { SERVING_LIMITS } from './compose.ts';
import { withServedStore } from './with-served-store.ts';

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('serve the API and its documentation on HOST:PORT until stopped')
    .action(() =>
      withServedStore(async (store, config) => {
        const server = await listen(store, config);
        await server.stopped;
      }, SERVING_LIMITS),
    );
}
