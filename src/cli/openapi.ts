import type { Command } from 'commander';
import { buildOpenApi } from '../api/openapi.ts';
import { ROUTES } from '../api/routes.ts';
import { printJson } from './print.ts';

export function registerOpenApi(program: Command): void {
  program.command('openapi').action(() => printJson(buildOpenApi(ROUTES)));
}
