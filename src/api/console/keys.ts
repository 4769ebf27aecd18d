import { Type } from 'typebox';
import {
  createKey,
  MAX_KEY_NAME_LENGTH,
  type KeySummary,
  listKeys,
  MAX_OVERLAP_DAYS,
  parseKeyExpiry,
  revokeKey,
  rotateKey,
} from '../../accounts/manage-keys.ts';
import { SCOPES } from '../../accounts/scopes.ts';
import { actingIn } from '../../accounts/sessions.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { integer, nullable, oneOf, optional, responseObject, string } from '../../schemas/members.ts';
import { readRequest, createRequestReader } from '../request/read-request.ts';
import { instant, instantOrNull } from '../../domain/instant.ts';
import { type ConsoleRoute, get, post } from './console-route.ts';
import { idParameter } from '../request-context.ts';

const ENVIRONMENTS = ['live', 'test'] as const;

export const NewKeyBody = Type.Object({
  name: string('What it is for.', { minLength: 1, maxLength: MAX_KEY_NAME_LENGTH }),
  environment: oneOf(ENVIRONMENTS),
  scopes: Type.Array(oneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length }),
  expires_at: optional.string('YYYY-MM-DD (the key works on that day too) or an instant; null = never.', {
    maxLength: 40,
  }),
});

const RotateKeyBody = Type.Object({
  overlap_days: integer('How long the old key still works.', { minimum: 0, maximum: MAX_OVERLAP_DAYS }),
});

const keyMembers = {
  id: string('The 8 characters after plb_live_ or plb_test_.'),
  name: string(),
  environment: oneOf(ENVIRONMENTS),
  scopes: Type.Array(string()),
  last_characters: string(),
  created_at: string(),
  expires_at: nullable.string(),
  last_used_at: nullable.string('To the minute.'),
  revoked_at: nullable.string(),
};

const KeyBody = responseObject('Key', keyMembers);

export const IssuedKeyBody = responseObject('IssuedKey', {
  ...keyMembers,
  key: string('The key itself. Only this response contains it.'),
});

export const KeysBody = responseObject('Keys', {
  keys: Type.Array(KeyBody, { description: 'Oldest first.' }),
});

const newKeyRequest = createRequestReader({
  schema: NewKeyBody,
  check: ({ expires_at: text }, errorAt) => {
    if (typeof text !== 'string' || parseKeyExpiry(text) !== null) return [];
    const message = 'must be YYYY-MM-DD, or an instant such as 2030-01-31T12:00:00Z';
    return [errorAt(['expires_at'], 'date_format', message)];
  },
  build: ({ expires_at: text = null, ...value }) => ({
    ...value,
    expiresAt: text === null ? null : parseKeyExpiry(text),
  }),
});

const KEY_ID = /^[0-9A-Za-z]{8}$/;
const NO_SUCH_KEY = 'There is no key with this id.';

function keyMembersOf(key: KeySummary): ResponseOf<typeof KeyBody> {
  const { keyId, name, environment, scopes, lastCharacters } = key;
  return {
    id: keyId,
    name,
    environment,
    scopes,
    lastCharacters,
    createdAt: instant(key.createdAt),
    expiresAt: instantOrNull(key.expiresAt),
    lastUsedAt: instantOrNull(key.lastUsedAt),
    revokedAt: instantOrNull(key.revokedAt),
  };
}

function issuedKey(key: KeySummary & { readonly text: string }): ResponseOf<typeof IssuedKeyBody> {
  return { ...keyMembersOf(key), key: key.text };
}

/** API keys of the signed-in user's account. */
export const KEY_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/keys', 'listKeys', 'administrator', {
    response: KeysBody,
    handle: async ({ deps, session }) => ({
      keys: (await listKeys(deps.people, session.accountId)).map(keyMembersOf),
    }),
  }),
  post('/console/api/keys', 'createKey', 'administrator', {
    input: NewKeyBody,
    response: IssuedKeyBody,
    handle: async ({ deps, request, reply, session }) => {
      const { accountId, actor } = actingIn(session);
      const wanted = readRequest(deps, request, reply, newKeyRequest);
      return issuedKey(await createKey(deps.people, actor, { ...wanted, accountId }));
    },
  }),
  post('/console/api/keys/{id}/rotate', 'rotateKey', 'administrator', {
    input: RotateKeyBody,
    response: IssuedKeyBody,
    handle: async ({ deps, request, session, read }) => {
      const { accountId, actor } = actingIn(session);
      const { overlap_days: overlapDays } = read();
      const keyId = idParameter(request, NO_SUCH_KEY, { form: KEY_ID });
      return issuedKey(await rotateKey(deps.people, actor, keyId, overlapDays, accountId));
    },
  }),
  post('/console/api/keys/{id}/revoke', 'revokeKey', 'administrator', {
    response: KeyBody,
    handle: async ({ deps, request, session }) => {
      const { accountId, actor } = actingIn(session);
      const keyId = idParameter(request, NO_SUCH_KEY, { form: KEY_ID });
      return keyMembersOf(await revokeKey(deps.people, actor, keyId, accountId));
    },
  }),
];
