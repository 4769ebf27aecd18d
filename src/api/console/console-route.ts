import type { Right } from '../../accounts/roles.ts';
import type { Scope } from '../../accounts/scopes.ts';
import type { ServedRoute } from '../route.ts';

/** One thing that the console asks the server: in the form of the API's routes, and of no public document. */
export interface ConsoleRoute extends ServedRoute {
  /** The right of a role, or of an operation of the API its scope; `anyone` is not signed in yet. */
  readonly access: Right | Scope | 'anyone';
  /** Counts against the limits of the account's plan. What only looks does not: pages look often. */
  readonly isLimited?: boolean;
  /** The body is bytes (application/octet-stream), not JSON. */
  readonly takesBytes?: true;
}

/** Under which the console asks, and nobody else. */
export const CONSOLE_API = '/console/api';
