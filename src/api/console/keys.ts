import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { parseKeyExpiry } from '../../accounts/key-expiry.ts';
import {
  KEY_NAME_LENGTH_MAX,
  type KeySummary,
  OVERLAP_DAYS_MAX,
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../accounts/manage-keys.ts';
import { SCOPES } from '../../accounts/scopes.ts';
import { actingIn } from '../../accounts/sessions.ts';
import { PlumblineError } from '../../errors.ts';
import { integer, nullable, oneOf, optional, responseObject, string } from '../../schemas/members.ts';
import { admittedSession, pathParameter } from '../request-context.ts';
import { readRequest } from '../request/read-http-request.ts';
import { createRequestReader } from '../request/read-request.ts';
import type { ApiDeps } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';
import { instant, instantOrNull } from './instant.ts';

const ENVIRONMENTS = ['live', 'test'] as const;

export const NewKeyBody = Type.Object(
  {
    name: string('What it is for.', { minLength: 1, maxLength: KEY_NAME_LENGTH_MAX }),
    environment: oneOf(ENVIRONMENTS, 'live or test.'),
    scopes: Type.Array(oneOf(SCOPES), {
      description: 'What it opens.',
      minItems: 1,
      maxItems: SCOPES.length,
    }),
    expires_at: optional.string(
      'Until when it works, as YYYY-MM-DD (that day too) or an instant; null = without end.',
      { maxLength: 40 },
    ),
  },
  { title: 'NewKey' },
);

const RotateKeyBody = Type.Object(
  {
    overlap_days: integer('How long the old key runs on.', { minimum: 0, maximum: OVERLAP_DAYS_MAX }),
  },
  { title: 'RotateKey' },
);

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
  key: string('The key itself, shown this once.'),
});

export const KeysBody = responseObject('Keys', {
  keys: Type.Array(KeyBody, { description: 'Oldest first.' }),
});

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
  build: ({ expires_at: text = null, ...value }) => ({
    ...value,
    expiresAt: text === null ? null : parseKeyExpiry(text),
  }),
});

const rotateRequest = createRequestReader({
  schema: RotateKeyBody,
  check: () => [],
  build: (value) => ({ overlapDays: value.overlap_days }),
});

async function getKeys(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof KeysBody>> {
  const { accountId } = admittedSession(request);
  return { keys: (await listKeys(deps.people, accountId)).map(presentKey) };
}

async function postKey(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof IssuedKeyBody>> {
  const { accountId, actor } = actingIn(admittedSession(request));
  const asked = readRequest(deps, request, reply, newKeyRequest);
  return presentIssued(await createKey(deps.people, actor, { ...asked, accountId }));
}

async function postRotateKey(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof IssuedKeyBody>> {
  const { accountId, actor } = actingIn(admittedSession(request));
  const { overlapDays } = readRequest(deps, request, reply, rotateRequest);
  return presentIssued(await rotateKey(deps.people, actor, keyIdOf(request), overlapDays, accountId));
}

async function postRevokeKey(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof KeyBody>> {
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

/** API keys of the signed-in user's account. */
export const KEY_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/keys',
    operationId: 'listKeys',
    access: 'administrator',
    response: KeysBody,
    handle: getKeys,
  },
  {
    method: 'POST',
    path: '/console/api/keys',
    operationId: 'createKey',
    access: 'administrator',
    body: NewKeyBody,
    response: IssuedKeyBody,
    handle: postKey,
  },
  {
    method: 'POST',
    path: '/console/api/keys/{id}/rotate',
    operationId: 'rotateKey',
    access: 'administrator',
    body: RotateKeyBody,
    response: IssuedKeyBody,
    handle: postRotateKey,
  },
  {
    method: 'POST',
    path: '/console/api/keys/{id}/revoke',
    operationId: 'revokeKey',
    access: 'administrator',
    response: KeyBody,
    handle: postRevokeKey,
  },
];
