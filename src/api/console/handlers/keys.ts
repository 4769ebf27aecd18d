import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { parseKeyExpiry } from '../../../accounts/key-expiry.ts';
import { createKey, listKeys, revokeKey, rotateKey, type KeySummary } from '../../../accounts/manage-keys.ts';
import { actingIn } from '../../../accounts/sessions.ts';
import { PlumblineError } from '../../../errors.ts';
import type { ApiDeps } from '../../route.ts';
import { readAsked } from '../../request/read-http-request.ts';
import { createRequestReader } from '../../request/read-request.ts';
import { admittedSession, pathParameter } from '../../request-context.ts';
import { instant, instantOrNull } from '../instant.ts';
import {
  NewKeyBody,
  RotateKeyBody,
  type IssuedKeyBody,
  type KeyBody,
  type KeysBody,
} from '../schemas/keys.ts';

const newKeyRequest = createRequestReader({
  schema: NewKeyBody,
  check: ({ expires_at: text }, errorAt) => {
    if (typeof text !== 'string' || parseKeyExpiry(text) !== null) return [];
    return [
      errorAt(
        ['expires_at'],
        'date_format',
        'must be YYYY-MM-DD, or an instant such as 2030-01-31T12:00:00Z',
      ),
    ];
  },
  make: ({ expires_at: text = null, ...value }) => ({
    ...value,
    expiresAt: text === null ? null : parseKeyExpiry(text),
  }),
});

const rotateRequest = createRequestReader({
  schema: RotateKeyBody,
  check: () => [],
  make: (value) => ({ overlapDays: value.overlap_days }),
});

export async function getKeys(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof KeysBody>> {
  const { accountId } = admittedSession(request);
  return { keys: (await listKeys(deps.people, accountId)).map(presentKey) };
}

export async function postKey(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof IssuedKeyBody>> {
  const { accountId, actor } = actingIn(admittedSession(request));
  const asked = readAsked(deps, request, reply, newKeyRequest);
  return presentIssued(await createKey(deps.people, actor, { ...asked, accountId }));
}

export async function postRotateKey(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof IssuedKeyBody>> {
  const { accountId, actor } = actingIn(admittedSession(request));
  const { overlapDays } = readAsked(deps, request, reply, rotateRequest);
  return presentIssued(await rotateKey(deps.people, actor, keyIdOf(request), overlapDays, accountId));
}

export async function postRevokeKey(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof KeyBody>> {
  const { accountId, actor } = actingIn(admittedSession(request));
  return presentKey(await revokeKey(deps.people, actor, keyIdOf(request), accountId));
}

const KEY_ID = /^[0-9A-Za-z]{8}$/;

/** What cannot be an id of ours never reaches the database, and is as missing as any other. */
function keyIdOf(request: FastifyRequest): string {
  const id = pathParameter(request, 'id');
  if (KEY_ID.test(id)) return id;
  throw new PlumblineError('not_found', 'There is no key of this id.');
}

function presentIssued(key: KeySummary & { readonly text: string }): Static<typeof IssuedKeyBody> {
  return { ...presentKey(key), key: key.text };
}

function presentKey(key: KeySummary): Static<typeof KeyBody> {
  return {
    id: key.keyId,
    name: key.name,
    environment: key.environment,
    scopes: [...key.scopes],
    last_characters: key.lastCharacters,
    created_at: instant(key.createdAt),
    expires_at: instantOrNull(key.expiresAt),
    last_used_at: instantOrNull(key.lastUsedAt),
    revoked_at: instantOrNull(key.revokedAt),
  };
}
