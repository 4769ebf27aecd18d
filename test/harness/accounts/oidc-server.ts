import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import type { OidcSetting } from '../../../src/config.ts';
import { PROVIDER_CALLBACK_PATH } from '../../../src/api/console/sign-in/provider-sign-in.ts';

/** An OpenID Connect provider on loopback, where anyone signs in with an email address and no password. */
export interface OidcServer {
  readonly issuer: string;
  /** The settings of a service at `publicUrl`. */
  readonly settingFor: (publicUrl: string) => OidcSetting;
  /** The users there. Without an entry, an address is confirmed and is its own subject. */
  readonly accounts: Map<
    string,
    { readonly subject?: string; readonly isConfirmed?: boolean; readonly isEntra?: boolean }
  >;
  /** Signs in at the page of the provider as a browser does. Returns the address it sends the browser back to. */
  readonly signIn: (url: string, email: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

const CLIENT = { clientId: 'plumbline', clientSecret: 'a secret of the client' } as const;
export const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const INTERACTION = '/sign-in/';

/** Starts a provider that knows the services at these addresses. */
export async function startOidcServer(publicUrls: readonly string[]): Promise<OidcServer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the provider has no port');
  // A name, so that it is another site than a console at 127.0.0.1.
  const issuer = `http://localhost:${address.port}`;
  const accounts: OidcServer['accounts'] = new Map();
  const provider = createProvider(issuer, publicUrls, accounts);
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith(INTERACTION)) void showSignIn(provider, accounts, request, response);
    else void answer(request, response);
  });
  return {
    issuer,
    settingFor: (publicUrl) => ({
      ...CLIENT,
      issuer,
      name: 'Acme login',
      allowCidrs: LOOPBACK,
      publicUrl,
    }),
    accounts,
    signIn: (url, email) => signInAt(url, email, issuer),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function createProvider(
  issuer: string,
  publicUrls: readonly string[],
  accounts: OidcServer['accounts'],
): Provider {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: publicUrls.map((publicUrl) => publicUrl + PROVIDER_CALLBACK_PATH),
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    cookies: { keys: ['cookies of a test'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => INTERACTION + uid },
    // Everyone consents, as at a provider that belongs to the same organization.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: () => claimsOf(accounts, subject),
    }),
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 60, Session: 600 },
  });
}

function claimsOf(accounts: OidcServer['accounts'], subject: string) {
  const entry = [...accounts].find(([email, account]) => (account.subject ?? email) === subject);
  const [email, account] = entry ?? [subject, {}];
  const isConfirmed = account.isConfirmed ?? true;
  return {
    sub: subject,
    email,
    ...(account.isEntra ? { xms_edov: isConfirmed } : { email_verified: isConfirmed }),
  };
}

async function showSignIn(
  provider: Provider,
  accounts: OidcServer['accounts'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><title>Acme login</title><form method="post">' +
        '<label>Email <input name="email"></label><button>Continue</button></form>',
    );
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const email = new URLSearchParams(Buffer.concat(chunks).toString()).get('email') ?? '';
  const result =
    email === ''
      ? { error: 'access_denied', error_description: 'The user went away.' }
      : { login: { accountId: accounts.get(email)?.subject ?? email } };
  await provider.interactionFinished(request, response, result);
}

/** Follows redirects with cookies until one leaves the provider. */
async function signInAt(url: string, email: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next = url;
  let isFormSent = false;
  while (next.startsWith(issuer)) {
    const isForm = next.includes(INTERACTION);
    if (isForm && isFormSent) throw new Error(`the provider asked twice at ${next}`);
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(isForm ? { method: 'POST', body: new URLSearchParams({ email }) } : {}),
    });
    isFormSent ||= isForm;
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(';', 1)[0].split('=', 2);
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${next}: ${response.status} ${await response.text()}`);
    next = new URL(location, next).href;
  }
  return next;
}
