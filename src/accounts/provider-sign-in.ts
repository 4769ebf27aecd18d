import { isRecord } from '../domain/json.ts';
import { PlumblineError } from '../errors.ts';
import { appendAudit } from '../store/audit-log.ts';
import type { StoreTransaction } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import {
  findUser,
  findUserByIdentity,
  findUserByName,
  foldName,
  lockUser,
  updateUser,
  type UserWithPassword,
} from '../store/users.ts';
import {
  ProviderError,
  type IdentityProvider,
  type ProvenIdentity,
  type ProviderFailure,
  type SignInSecrets,
} from './identity-provider.ts';
import { openJson, sealJson } from './secret-box.ts';
import { beginSession, newSecret, type Client, type NewSession, type UserDeps } from './sessions.ts';
import { clearAttempt, countTryOfAddress, uncountOne, type AttemptSubjects } from './sign-in-attempts.ts';
import { recordRejection } from './sign-in.ts';

/** How long a user may take at the provider. */
export const PENDING_MS = 10 * 60_000;
const PENDING_PLACE = 'provider-sign-in';

/** Why a sign-in by the provider failed, as a sentence for the user, with the name of the provider. */
const PROBLEMS = {
  provider_unavailable: (name) =>
    `${name} cannot be used at the moment. Try again later, or sign in with your password. The log of the server has the reason.`,
  declined: (name) => `${name} did not sign you in. Try again, or sign in with your password.`,
  invalid_response: (name) =>
    `The response of ${name} is not valid or was already used. Try again. If it happens again, the log of the server has the reason.`,
  expired: () =>
    'More than ten minutes have passed, or you started another sign-in in the meantime. Try again.',
  email_not_verified: (name) =>
    `${name} did not confirm your email address, so it is not known which user you are. Confirm it there and try again.`,
  unknown_user: (name) =>
    `No user here has the email address that ${name} confirmed. Ask an administrator to add a user with it as the name.`,
  linked_to_another: (name) =>
    `The user with your email address is linked to another account of ${name}. Ask an administrator to unlink it.`,
  user_disabled: () => 'Your user is disabled. Ask an administrator to enable it.',
  rate_limited: () => 'Too many attempts to sign in from this address. Try again in 15 minutes.',
} as const satisfies Readonly<Record<string, (name: string) => string>> &
  Readonly<Record<ProviderFailure, (name: string) => string>>;

type ProviderProblem = keyof typeof PROBLEMS;

/** A problem as a sentence for the user. */
export function describeProviderProblem({ name }: IdentityProvider, problem: ProviderProblem): string {
  return PROBLEMS[problem](name);
}

/** Anyone can put other text into the address of the sign-in page. */
export function isProviderProblem(text: string): text is ProviderProblem {
  return Object.hasOwn(PROBLEMS, text);
}

/** A started sign-in. */
interface StartedSignIn {
  /** The page of the provider. */
  readonly url: string;
  /** Sealed, for a cookie: any process can complete the sign-in, and only in this browser. */
  readonly pending: string;
}

interface PendingSignIn extends SignInSecrets {
  /** The page of the console to show afterward. */
  readonly page: string;
}

/** Starts a sign-in by the provider. Throws a ProviderError. */
export async function startProviderSignIn(
  { clock, randomBytes, secretBox }: UserDeps,
  provider: IdentityProvider,
  page: string,
): Promise<StartedSignIn> {
  const secret = () => newSecret(randomBytes);
  const secrets = { state: secret(), nonce: secret(), codeVerifier: secret() };
  const endsAt = clock().getTime() + PENDING_MS;
  const url = await provider.authorizationUrl(secrets);
  return { url, pending: sealJson(secretBox(), { ...secrets, page, endsAt }, PENDING_PLACE) };
}

function readPending({ clock, secretBox }: UserDeps, sealed: string): PendingSignIn | null {
  const content = openJson(secretBox(), sealed, PENDING_PLACE);
  if (!isRecord(content)) return null;
  const { state, nonce, codeVerifier, page, endsAt } = content;
  if (typeof endsAt !== 'number' || clock().getTime() >= endsAt) return null;
  if (typeof state !== 'string' || typeof nonce !== 'string') return null;
  if (typeof codeVerifier !== 'string' || typeof page !== 'string') return null;
  return { state, nonce, codeVerifier, page };
}

/** The response of the provider, as the browser brings it. */
interface BroughtResponse {
  /** The query of the address, without `?`. */
  readonly query: string;
  /** What `startProviderSignIn` sealed; null without the cookie. */
  readonly pending: string | null;
  readonly client: Client;
  /** Secret of the browser's previous session, which ends. */
  readonly replacing: string | null;
}

type Completed =
  | { readonly problem: null; readonly session: NewSession; readonly page: string }
  | { readonly problem: ProviderProblem; readonly cause: Error | null };

/**
 * Completes a sign-in by the provider and starts a session. No local second factor is asked for: that is up to the
 * provider. Attempts that reach the provider in vain are counted by address, like wrong passwords.
 */
export async function completeProviderSignIn(
  deps: UserDeps,
  provider: IdentityProvider,
  { query, pending: sealed, client, replacing }: BroughtResponse,
): Promise<Completed> {
  const pending = sealed === null ? null : readPending(deps, sealed);
  if (pending === null || new URLSearchParams(query).get('state') !== pending.state) {
    return { problem: 'expired', cause: null };
  }
  const subjects = await countTryOfAddress(deps, client.address).catch((error: unknown) => {
    if (error instanceof PlumblineError && error.code === 'rate_limited') return null;
    throw error;
  });
  if (subjects === null) return { problem: 'rate_limited', cause: null };
  try {
    const identity = await provider.identityOf(query, pending);
    const begun = await begin(deps, identity, subjects, { client, replacing });
    if (begun.problem === null) return { ...begun, page: pending.page };
    const detail = {
      identity_provider: identity.issuer,
      reason: begun.problem,
      email: identity.verifiedEmail,
    };
    await recordRejection(deps, begun.user, client.address, detail);
    return { problem: begun.problem, cause: null };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.failure !== 'invalid_response') await uncountOne(deps, subjects);
    return { problem: error.failure, cause: error };
  }
}

interface Rejected {
  readonly problem: ProviderProblem;
  readonly user: UserWithPassword | null;
}

/** Finds the user of an identity, links them if they are not linked yet, and starts the session. */
function begin(
  deps: UserDeps,
  identity: ProvenIdentity,
  subjects: AttemptSubjects,
  from: Pick<BroughtResponse, 'client' | 'replacing'>,
): Promise<Rejected | { readonly problem: null; readonly session: NewSession }> {
  return inTransaction(deps.store, async (transaction) => {
    const found = await findOrLink(deps, transaction, identity);
    if (found.problem !== null) return found;
    const { userId, name, accountId } = found.user;
    const session = await beginSession(deps, transaction, userId, from);
    await clearAttempt(transaction, subjects);
    await appendAudit(transaction, actingAs(deps, { accountId, userId, name }), 'sign_in', name, {
      identity_provider: identity.issuer,
      address: from.client.address,
      session_id: session.record.sessionId,
    });
    return { problem: null, session };
  });
}

/**
 * Names of users are compared in a form in which `ａda@…` (a full-width letter) is `ada@…`. Mail providers may take
 * them for two people, so only addresses without such letters find a user.
 */
const PLAIN_EMAIL = /^[!-~]+$/;

/**
 * The active user of an identity, with a locked row. An identity that is not linked yet is linked to the user whose
 * name is its confirmed email address: the subject is what names a person for good, because addresses are reassigned.
 */
async function findOrLink(
  deps: UserDeps,
  transaction: StoreTransaction,
  identity: ProvenIdentity,
): Promise<Rejected | { readonly problem: null; readonly user: UserWithPassword }> {
  const { issuer, subject, verifiedEmail } = identity;
  const email = verifiedEmail !== null && PLAIN_EMAIL.test(verifiedEmail) ? verifiedEmail : null;
  const named = async () => (email === null ? null : await findUserByName(transaction, email));
  const known = (await findUserByIdentity(transaction, identity)) ?? (await named());
  const unknown: ProviderProblem = verifiedEmail === null ? 'email_not_verified' : 'unknown_user';
  if (known === null) return { problem: unknown, user: null };
  await lockUser(transaction, known.userId);
  const user = await findUser(transaction, known.userId);
  if (user === null) return { problem: unknown, user: null };
  if (user.disabledAt !== null) return { problem: 'user_disabled', user };
  const linked = await findUserByIdentity(transaction, identity);
  if (linked?.userId === user.userId) return { problem: null, user };
  if (linked !== null || user.identitySince !== null) return { problem: 'linked_to_another', user };
  // An administrator unlinked the user since `known` was read.
  if (email === null || foldName(email) !== foldName(user.name)) return { problem: unknown, user: null };
  const by = actingAs(deps, user);
  const change = { identityIssuer: issuer, identitySubject: subject, identitySince: by.at };
  await updateUser(transaction, user.userId, change);
  const detail = { user_id: user.userId, identity_provider: issuer, subject };
  await appendAudit(transaction, by, 'user.identity_linked', user.name, detail);
  return { problem: null, user };
}

function actingAs(
  { clock }: UserDeps,
  { accountId, userId, name }: Pick<UserWithPassword, 'accountId' | 'userId' | 'name'>,
) {
  return { accountId, at: clock().getTime(), actor: { kind: 'user', id: userId, name } } as const;
}
