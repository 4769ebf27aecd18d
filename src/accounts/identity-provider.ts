import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { Clock } from '../clock.ts';
import type { OidcSetting } from '../config.ts';
import { createOutbound } from '../egress/outbound.ts';
import type { Outbound, OutboundResponse } from '../egress/outbound-call.ts';
import type { Identity } from '../store/users.ts';

/** A user waits for each call. */
const MAX_MS = 5000;
/** Metadata and keys of large providers are tens of kilobytes. */
const MAX_BYTES = 262_144;
/** How long the provider's metadata is kept. Its keys are read again sooner, if a signature needs a new one. */
const KEPT_MS = 3_600_000;
/** After a failure the metadata is not requested for this long, so that only one user waits for the timeout. */
const COOL_DOWN_MS = 10_000;
const SCOPE = 'openid email profile';
/** Microsoft Entra ID says by this claim, instead of `email_verified`, that the owner of the email's domain is known. */
const DOMAIN_OWNER_VERIFIED = 'xms_edov';

/** The secrets of one sign-in, by which its response is recognized. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636): a stolen code is worthless without it. */
  readonly codeVerifier: string;
}

/** A user of the provider who has just signed in there. */
export interface ProvenIdentity extends Identity {
  /** Null if the provider did not confirm one. */
  readonly verifiedEmail: string | null;
}

/** The operator's OpenID Connect provider. */
export interface IdentityProvider {
  readonly name: string;
  /** The address of this service, to which the provider sends users back. */
  readonly publicUrl: string;
  /** The page of the provider where the user signs in. Throws a ProviderError. */
  readonly authorizationUrl: (secrets: SignInSecrets) => Promise<string>;
  /** Who signed in, from the query of the response. Throws a ProviderError. */
  readonly identityOf: (query: string, secrets: SignInSecrets) => Promise<ProvenIdentity>;
}

/** Why the provider did not name a user. */
export type ProviderFailure = 'provider_unavailable' | 'declined' | 'invalid_response';

/** The message is for the log of the operator. It contains no secret and no token. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure, message: string, cause: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

/** The provider of the settings. `callbackPath` is where it sends users back, below PUBLIC_URL. */
export function createIdentityProvider(
  setting: OidcSetting,
  callbackPath: string,
  { clock, outbound }: { readonly clock: Clock; readonly outbound?: Outbound },
): IdentityProvider {
  const { name, publicUrl } = setting;
  const redirectUri = publicUrl + callbackPath;
  const connect = connectTo(setting, outbound);
  let kept: { until: number; readonly configuration: Promise<Configuration> } | null = null;

  function configured(): Promise<Configuration> {
    const now = clock().getTime();
    if (kept !== null && now < kept.until) return kept.configuration;
    const next = { until: now + KEPT_MS, configuration: connect() };
    next.configuration.catch(() => {
      next.until = now + COOL_DOWN_MS;
    });
    kept = next;
    return next.configuration;
  }

  return {
    name,
    publicUrl,
    async authorizationUrl({ state, nonce, codeVerifier }) {
      const configuration = await orProviderError(configured(), 'provider_unavailable');
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    async identityOf(query, secrets) {
      const configuration = await orProviderError(configured(), 'provider_unavailable');
      const response = new URL(`${redirectUri}?${query}`);
      return orProviderError(exchange(configuration, response, secrets), 'invalid_response');
    },
  };
}

/** Every call passes the guard, which connects to public addresses and the ranges of OIDC_ALLOW_CIDRS only. */
function connectTo(
  { issuer, clientId, clientSecret, allowCidrs }: OidcSetting,
  outbound?: Outbound,
): () => Promise<Configuration> {
  const allowHttp = issuer.startsWith('http:');
  const guarded = fetchThrough(outbound ?? createOutbound({ allowCidrs, allowHttp }));
  const execute = [enableNonRepudiationChecks, ...(allowHttp ? [allowInsecureRequests] : [])];
  return () =>
    discovery(
      new URL(issuer),
      clientId,
      undefined,
      // Providers differ in how they accept the secret. OpenID Connect's default is the header.
      (server, client, body, headers) => {
        const accepted = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
        if (clientSecret === null) None()(server, client, body, headers);
        else if (accepted.includes('client_secret_basic'))
          ClientSecretBasic(clientSecret)(server, client, body, headers);
        else ClientSecretPost(clientSecret)(server, client, body, headers);
      },
      { [customFetch]: guarded, execute },
    );
}

/**
 * Exchanges the code for an ID token, and checks its signature, issuer, audience, nonce and times. Some providers
 * give the email address only as user info.
 */
async function exchange(
  configuration: Configuration,
  response: URL,
  { state, nonce, codeVerifier }: SignInSecrets,
): Promise<ProvenIdentity> {
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
  const tokens = await authorizationCodeGrant(configuration, response, checks);
  const claims = tokens.claims();
  // The library rejects a response without an ID token, because a nonce is expected.
  if (claims === undefined) throw new TypeError('the token response has no ID token');
  const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const profile =
    claims.email_verified === undefined && claims[DOMAIN_OWNER_VERIFIED] === undefined && hasMore
      ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims;
  const isVerified = isTrue(profile.email_verified ?? profile[DOMAIN_OWNER_VERIFIED]);
  const email = typeof profile.email === 'string' && profile.email.includes('@') ? profile.email : null;
  return { issuer: claims.iss, subject: claims.sub, verifiedEmail: isVerified ? email : null };
}

/** Some providers write the boolean as text or number. */
function isTrue(claim: unknown): boolean {
  return ['true', '1'].includes(String(claim));
}

/** A call did not reach the provider. */
class UnreachableError extends Error {}

function fetchThrough(outbound: Outbound): CustomFetch {
  return async (url, { method, headers, body }) => {
    // The library sends nothing else.
    const form = body instanceof URLSearchParams ? body.toString() : undefined;
    if ((method !== 'GET' && method !== 'POST') || (body && form === undefined))
      throw new TypeError(`unexpected ${method} request`);
    const response = await outbound.request(url, {
      method,
      headers,
      body: form,
      timeoutMs: MAX_MS,
      maxBytes: MAX_BYTES,
    });
    if (response.outcome !== 'responded') throw new UnreachableError(response.detail);
    if (response.isTruncated) throw new UnreachableError(`A response is longer than ${MAX_BYTES} bytes.`);
    if (response.status >= 500) throw new UnreachableError(`It answered with status ${response.status}.`);
    return responseOf(response);
  };
}

function responseOf({ status, headers, body }: OutboundResponse): Response {
  const received = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) received.append(name, each);
  }
  // A response with one of these statuses must not have a body.
  const content = [204, 205, 304].includes(status) ? null : Uint8Array.from(body);
  return new Response(content, { status, headers: received });
}

/** Errors of the provider as a ProviderError. Anything else is a bug and is thrown again. */
async function orProviderError<Result>(work: Promise<Result>, otherwise: ProviderFailure): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const unreachable = unreachableIn(error);
    if (unreachable !== null) throw new ProviderError('provider_unavailable', unreachable.message, error);
    if (error instanceof AuthorizationResponseError)
      throw new ProviderError('declined', withText(error), error);
    if (error instanceof ResponseBodyError) throw new ProviderError(otherwise, withText(error), error);
    if (error instanceof ClientError || error instanceof WWWAuthenticateChallengeError)
      throw new ProviderError(otherwise, error.message, error);
    throw error;
  }
}

function unreachableIn(error: unknown): UnreachableError | null {
  if (error instanceof UnreachableError) return error;
  return error instanceof Error && error.cause !== undefined ? unreachableIn(error.cause) : null;
}

/** Providers explain errors in text of any length. */
const MAX_TEXT_LENGTH = 300;

function withText(error: AuthorizationResponseError | ResponseBodyError): string {
  return `${error.error}: ${error.error_description ?? 'no description'}`.slice(0, MAX_TEXT_LENGTH);
}
