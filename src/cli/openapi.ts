import type { Command } from 'commander';
import { buildOpenApi } from '../api/openapi.ts';
import { ROUTES } from '../api/routes.ts';
import { printJson } from './print.ts';

export function registerOpenApi(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of this version')
    .action(() => printJson(buildOpenApi(ROUTES)));
}
