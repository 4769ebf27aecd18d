import type { FastifyRequest } from 'fastify';
import { isTokenOf, type Session } from '../../accounts/sessions.ts';
import { PlumblineError } from '../../errors.ts';
import { headerText } from '../request-context.ts';

/**
 * Refuses what another site has a browser send. Browsers say where a request comes from (`Sec-Fetch-Site`, and `Origin` with every
 * change), and pages cannot make them lie. What does not change anything may also be typed or bookmarked.
 *
 * @throws PlumblineError `csrf_refused`
 */
export function rejectForeignSite(request: FastifyRequest): void {
  const { headers, method } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const site = headerText(headers['sec-fetch-site']);
  if (site !== undefined && site !== 'same-origin' && !(isRead && site === 'none')) throw foreign();
  const { origin } = headers;
  if (origin !== undefined) {
    if (hostOf(origin) !== request.host.toLowerCase()) throw foreign();
  } else if (!isRead && site === undefined) throw foreign();
}

/** The host alone: a proxy that ends TLS is seen as http, and the token stands besides. Null of `null`, which sandboxed pages send. */
function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

/** @throws PlumblineError `csrf_refused` where a change does not bring the token of its session */
export function rejectWithoutToken({ headers, method }: FastifyRequest, session: Session): void {
  if (method === 'GET' || method === 'HEAD') return;
  if (isTokenOf(session, headerText(headers['x-csrf-token']) ?? '')) return;
  throw new PlumblineError(
    'csrf_refused',
    'Every change needs the token of its session in X-CSRF-Token. Load the page again.',
  );
}

function foreign(): PlumblineError {
  return new PlumblineError(
    'csrf_refused',
    'This did not come from a page of the console. Open /console on this very address; behind a proxy, its host must be passed on.',
  );
}
