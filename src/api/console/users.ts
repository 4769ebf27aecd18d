import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  NO_SUCH_USER,
  USER_NAME_LENGTH_MAX,
  createUser,
  disableUser,
  enableUser,
  setPassword,
  setRole,
  usersOf,
} from '../../accounts/manage-users.ts';
import { PASSWORD_LENGTH } from '../../accounts/passwords.ts';
import { actingIn } from '../../accounts/sessions.ts';
import { ROLES } from '../../domain/role.ts';
import { nullable, oneOf, responseObject, string } from '../../schemas/members.ts';
import type { User } from '../../store/users.ts';
import { admittedSession } from '../request-context.ts';
import { readRequest, readingOf } from '../request/read-http-request.ts';
import { createRequestReader } from '../request/read-request.ts';
import type { ApiDeps } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';
import { instant, instantOrNull } from './instant.ts';
import { createSecretReader } from './read-secrets.ts';
import { uuidParameter } from './uuid-parameter.ts';

const Role = oneOf(ROLES, 'What they may do.');
const NewPassword = string(
  'Of 12 characters or more. The service does not send it to the user: pass it on yourself.',
  { minLength: PASSWORD_LENGTH.least, maxLength: PASSWORD_LENGTH.most },
);

export const NewUserBody = Type.Object(
  {
    name: string('By which they sign in, such as an e-mail address.', {
      minLength: 1,
      maxLength: USER_NAME_LENGTH_MAX,
    }),
    role: Role,
    password: NewPassword,
  },
  { title: 'NewUser' },
);

const SetRoleBody = Type.Object({ role: Role }, { title: 'SetRole' });

const SetPasswordBody = Type.Object({ password: NewPassword }, { title: 'SetPassword' });

const UserBody = responseObject('User', {
  id: string(),
  name: string(),
  role: oneOf(ROLES),
  created_at: string(),
  password_changed_at: string(),
  disabled_at: nullable.string('Since when they cannot sign in; null of everybody who can.'),
});

export const UsersBody = responseObject('Users', {
  users: Type.Array(UserBody, { description: 'Oldest first.' }),
});

const readNewUser = createSecretReader(NewUserBody);
const readNewPassword = createSecretReader(SetPasswordBody);
const roleRequest = createRequestReader({
  schema: SetRoleBody,
  check: () => [],
  build: ({ role }) => role,
});

async function getUsers(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof UsersBody>> {
  return { users: (await usersOf(deps.people, admittedSession(request).accountId)).map(presentUser) };
}

async function postUser(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof UserBody>> {
  const { accountId, actor } = actingIn(admittedSession(request));
  const asked = readNewUser(request.body, readingOf(deps, request, reply));
  return presentUser(await createUser(deps.people, actor, { ...asked, accountId }));
}

async function postUserRole(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof UserBody>> {
  const { actor, place } = changeOf(request);
  return presentUser(
    await setRole(deps.people, actor, place, readRequest(deps, request, reply, roleRequest)),
  );
}

async function postUserPassword(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof UserBody>> {
  const { actor, place } = changeOf(request);
  const { password } = readNewPassword(request.body, readingOf(deps, request, reply));
  return presentUser(await setPassword(deps.people, actor, place, password));
}

async function postDisableUser(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof UserBody>> {
  const { actor, place } = changeOf(request);
  return presentUser(await disableUser(deps.people, actor, place));
}

async function postEnableUser(deps: ApiDeps, request: FastifyRequest): Promise<Static<typeof UserBody>> {
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

const CHANGE = { method: 'POST', access: 'administrator', response: UserBody } as const;

/** The users of the signed-in user's account. */
export const USER_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/users',
    operationId: 'listUsers',
    access: 'administrator',
    response: UsersBody,
    handle: getUsers,
  },
  {
    ...CHANGE,
    path: '/console/api/users',
    operationId: 'createUser',
    body: NewUserBody,
    handle: postUser,
  },
  {
    ...CHANGE,
    path: '/console/api/users/{id}/role',
    operationId: 'setUserRole',
    body: SetRoleBody,
    handle: postUserRole,
  },
  {
    ...CHANGE,
    path: '/console/api/users/{id}/password',
    operationId: 'setUserPassword',
    body: SetPasswordBody,
    handle: postUserPassword,
  },
  {
    ...CHANGE,
    path: '/console/api/users/{id}/disable',
    operationId: 'disableUser',
    handle: postDisableUser,
  },
  {
    ...CHANGE,
    path: '/console/api/users/{id}/enable',
    operationId: 'enableUser',
    handle: postEnableUser,
  },
];
