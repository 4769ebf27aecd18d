import { getConsoleSettings } from '../handlers/settings.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { ConsoleSettingsBody } from '../schemas/settings.ts';

/** What every page begins with. */
export const SETTINGS_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/settings',
    operationId: 'readConsoleSettings',
    access: 'signed_in',
    answer: ConsoleSettingsBody,
    handle: getConsoleSettings,
  },
];
