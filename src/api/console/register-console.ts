import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../route.ts';
import { rejectOtherMethods, registerRoute } from '../pipeline.ts';
import { authorizeBySession } from './admit-session.ts';
import { CONSOLE_API, type ConsoleRoute } from './console-route.ts';
import { CONSOLE_ROUTES } from './console-routes.ts';

/** What the pages of the console ask for. */
export function registerConsole(app: FastifyInstance, deps: ApiDeps): void {
  registerRoutes(
    app,
    deps,
    CONSOLE_ROUTES.filter(({ takesBytes }) => !takesBytes),
  );
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer' },
      async (_: FastifyRequest, body: Buffer) => body,
    );
    registerRoutes(
      scope,
      deps,
      CONSOLE_ROUTES.filter(({ takesBytes }) => takesBytes),
    );
  });
}

function registerRoutes(app: FastifyInstance, deps: ApiDeps, routes: readonly ConsoleRoute[]): void {
  for (const route of routes) {
    registerRoute(app, deps, route, { authorize: authorizeBySession(deps, route), base: CONSOLE_API });
  }
  rejectOtherMethods(app, routes);
}
