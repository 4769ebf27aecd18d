import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import {
  createUser,
  disableUser,
  enableUser,
  NO_SUCH_USER,
  setPassword,
  setRole,
  usersOf,
} from '../../../accounts/manage-users.ts';
import { actingIn } from '../../../accounts/sessions.ts';
import type { User } from '../../../store/users.ts';
import type { ApiDeps } from '../../route.ts';
import { readAsked, readingOf } from '../../request/read-http-request.ts';
import { createRequestReader } from '../../request/read-request.ts';
import { admittedSession } from '../../request-context.ts';
import { instant, instantOrNull } from '../instant.ts';
import { createSecretReader } from '../read-secrets.ts';
import {
  NewUserBody,
  SetPasswordBody,
  SetRoleBody,
  type UserBody,
  type UsersBody,
} from '../schemas/users.ts';
import { uuidParameter } from '../uuid-parameter.ts';

const readNewUser = createSecretReader(NewUserBody);
const readNewPassword = createSecretReader(SetPasswordBody);
const roleRequest = createRequestReader({
  schema: SetRoleBody,
  check: () => [],
  make: ({ role }) => role,
});

export async function getUsers(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof UsersBody>> {
  return { users: (await usersOf(deps.people, admittedSession(request).accountId)).map(presentUser) };
}

export async function postUser(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof UserBody>> {
  const { accountId, actor } = actingIn(admittedSession(request));
  const asked = readNewUser(request.body, readingOf(deps, request, reply));
  return presentUser(await createUser(deps.people, actor, { ...asked, accountId }));
}

export async function postUserRole(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof UserBody>> {
  const { actor, place } = changeOf(request);
  return presentUser(await setRole(deps.people, actor, place, readAsked(deps, request, reply, roleRequest)));
}

export async function postUserPassword(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof UserBody>> {
  const { actor, place } = changeOf(request);
  const { password } = readNewPassword(request.body, readingOf(deps, request, reply));
  return presentUser(await setPassword(deps.people, actor, place, password));
}

export async function postDisableUser(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof UserBody>> {
  const { actor, place } = changeOf(request);
  return presentUser(await disableUser(deps.people, actor, place));
}

export async function postEnableUser(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof UserBody>> {
  const { actor, place } = changeOf(request);
  return presentUser(await enableUser(deps.people, actor, place));
}

/** Who changes whom: only people of the same account are there. */
function changeOf(request: FastifyRequest) {
  const { accountId, actor } = actingIn(admittedSession(request));
  return { actor, place: { accountId, userId: uuidParameter(request, NO_SUCH_USER) } };
}

function presentUser(user: User): Static<typeof UserBody> {
  return {
    id: user.userId,
    name: user.name,
    role: user.role,
    created_at: instant(user.createdAt),
    password_changed_at: instant(user.passwordChangedAt),
    disabled_at: instantOrNull(user.disabledAt),
  };
}
