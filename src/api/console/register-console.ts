import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../route.ts';
import { refuseOtherMethods, registerRoute } from '../pipeline.ts';
import { letInBySession } from './admit-session.ts';
import { CONSOLE_API } from './console-route.ts';
import { CONSOLE_ROUTES } from './console-routes.ts';

/** What the pages of the console ask for. */
export function registerConsole(app: FastifyInstance, deps: ApiDeps): void {
  for (const route of CONSOLE_ROUTES) {
    registerRoute(app, deps, route, { letIn: letInBySession(deps, route), base: CONSOLE_API });
  }
  refuseOtherMethods(app, CONSOLE_ROUTES);
}
