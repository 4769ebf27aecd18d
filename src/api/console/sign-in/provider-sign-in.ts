import { Type } from 'typebox';
import {
  completeProviderSignIn,
  describeProviderProblem,
  isProviderProblem,
  startProviderSignIn,
} from '../../../accounts/provider-sign-in.ts';
import { ProviderError, type IdentityProvider } from '../../../accounts/identity-provider.ts';
import { PlumblineError } from '../../../errors.ts';
import { nullable, responseObject, string } from '../../../schemas/members.ts';
import type { ApiDeps } from '../../route.ts';
import { type ConsoleRoute, get, getFile, post } from '../console-route.ts';
import {
  clearPendingCookie,
  pendingSignIn,
  sessionSecret,
  setPendingCookie,
  setSessionCookie,
} from './cookies.ts';
import { browserOf, SIGN_IN_BODY } from './session.ts';

/** Where the identity provider sends users back: operators register it there, below PUBLIC_URL. */
export const PROVIDER_CALLBACK_PATH = '/console/api/sign-in/provider/callback';

/** The parameter of the sign-in page that names why a sign-in by the provider failed. */
const PROBLEM_PARAMETER = 'sign_in_problem';

export const SignInOptionsBody = responseObject('SignInOptions', {
  provider: nullable.object(
    responseObject('SignInProvider', { name: string() }),
    'The identity provider by which users can sign in.',
  ),
  problem: nullable.string('Why the last sign-in by the provider failed.'),
});

const OptionsQuery = Type.Object({
  problem: Type.Optional(string('The parameter `sign_in_problem` of the page.', { maxLength: 100 })),
});

const StartBody = Type.Object({
  page: string('The path and query of the page of the console to show afterward.', { maxLength: 1000 }),
});

export const StartedProviderSignInBody = responseObject('StartedProviderSignIn', {
  url: string('The page of the provider, for the browser to open.'),
});

function providerOf({ identityProvider }: Pick<ApiDeps, 'identityProvider'>): IdentityProvider {
  if (identityProvider !== null) return identityProvider;
  throw new PlumblineError(
    'not_found',
    'This installation has no identity provider. The operator can set one up with OIDC_ISSUER.',
  );
}

/** A page of the console, never one of another host: browsers take `//` and `\` for the start of a host. */
const CONSOLE_PAGE = /^\/console(?:[/?][!-[\]-~]*)?$/;

/** Sign-in by the operator's identity provider (OpenID Connect). */
export const PROVIDER_SIGN_IN_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/sign-in/options', 'readSignInOptions', 'anyone', {
    input: OptionsQuery,
    response: SignInOptionsBody,
    handle: async ({ deps: { identityProvider }, read }) => {
      const { problem = '' } = read();
      if (identityProvider === null) return { provider: null, problem: null };
      return {
        provider: { name: identityProvider.name },
        problem: isProviderProblem(problem) ? describeProviderProblem(identityProvider, problem) : null,
      };
    },
  }),
  post('/console/api/sign-in/provider', 'startProviderSignIn', 'anyone', {
    input: StartBody,
    bodyLimits: SIGN_IN_BODY,
    response: StartedProviderSignInBody,
    handle: async ({ deps, request, reply, read }) => {
      const provider = providerOf(deps);
      const { page } = read();
      // The cookie of another host would be missing when the provider sends the user back.
      if (request.host.toLowerCase() !== new URL(provider.publicUrl).host) {
        throw new PlumblineError(
          'bad_request',
          `Open the console at ${provider.publicUrl}/console to sign in with ${provider.name}: it sends you back there.`,
        );
      }
      const shown = CONSOLE_PAGE.test(page) ? page : '/console';
      const started = await startProviderSignIn(deps.people, provider, shown).catch((error: unknown) => {
        if (!(error instanceof ProviderError)) throw error;
        logTrouble(deps, error);
        throw new PlumblineError('unavailable', describeProviderProblem(provider, error.failure));
      });
      setPendingCookie(reply, started.pending);
      return { url: started.url };
    },
  }),
  getFile(PROVIDER_CALLBACK_PATH, 'completeProviderSignIn', 'anyone', {
    responseType: 'text/html',
    fromOtherSites: true,
    handle: async ({ deps, request, reply }) => {
      const provider = providerOf(deps);
      const completed = await completeProviderSignIn(deps.people, provider, {
        query: new URL(request.url, provider.publicUrl).search.slice(1),
        pending: pendingSignIn(request),
        client: browserOf(request).client,
        replacing: sessionSecret(request),
      });
      clearPendingCookie(reply);
      if (completed.problem === null) {
        setSessionCookie(reply, completed.session.secret);
        return reply.redirect(completed.page, 303);
      }
      logTrouble(deps, completed.cause);
      return reply.redirect(`/console?${PROBLEM_PARAMETER}=${completed.problem}`, 303);
    },
  }),
];

/** The operator finds out why; the message contains no token. */
function logTrouble({ log }: Pick<ApiDeps, 'log'>, cause: Error | null): void {
  if (cause !== null) log.warn({ trouble: cause.message }, 'identity provider');
}
