import { Type } from 'typebox';
import {
  NO_SUCH_USER,
  MAX_USER_NAME_LENGTH,
  createUser,
  disableUser,
  enableUser,
  resetSecondFactor,
  setPassword,
  setRole,
  unlinkIdentity,
} from '../../accounts/manage-users.ts';
import { PASSWORD_LENGTH } from '../../accounts/passwords.ts';
import { actingIn } from '../../accounts/sessions.ts';
import { ROLES } from '../../domain/role.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { nullable, oneOf, responseObject, string } from '../../schemas/members.ts';
import { instant, instantOrNull } from '../../domain/instant.ts';
import { type ConsoleRequest, type ConsoleRoute, get, post } from './console-route.ts';
import { idParameter } from '../request-context.ts';
import type { User } from '../../store/tables/accounts.ts';
import { listUsers } from '../../store/users.ts';

export const NewPassword = string(
  '12 characters or more. The service does not send it to the user: pass it on yourself.',
  { minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max },
);

export const NewUserBody = Type.Object({
  name: string('The name for signing in, such as an email address.', {
    minLength: 1,
    maxLength: MAX_USER_NAME_LENGTH,
  }),
  role: oneOf(ROLES),
  password: NewPassword,
});

const SetRoleBody = Type.Object({ role: oneOf(ROLES) });

const SetPasswordBody = Type.Object({ password: NewPassword });

const UserBody = responseObject('User', {
  id: string(),
  name: string(),
  role: oneOf(ROLES),
  created_at: string(),
  password_changed_at: string(),
  disabled_at: nullable.string('Null if the user can sign in.'),
  second_factor_since: nullable.string('Null if sign-in needs the password only.'),
  identity_since: nullable.string(
    'Since when the identity provider signs the user in. Null if it never did.',
  ),
});

export const UsersBody = responseObject('Users', {
  users: Type.Array(UserBody, { description: 'Oldest first.' }),
});

/** The acting user, and the user to change. Only users of the same account are found. */
function changeOf({ request, session }: Pick<ConsoleRequest<unknown>, 'request' | 'session'>) {
  const { accountId, actor } = actingIn(session);
  return { actor, key: { accountId, userId: idParameter(request, NO_SUCH_USER) } };
}

function userMembers(user: User): ResponseOf<typeof UserBody> {
  return {
    id: user.userId,
    name: user.name,
    role: user.role,
    createdAt: instant(user.createdAt),
    passwordChangedAt: instant(user.passwordChangedAt),
    disabledAt: instantOrNull(user.disabledAt),
    secondFactorSince: instantOrNull(user.secondFactorSince),
    identitySince: instantOrNull(user.identitySince),
  };
}

/** The users of the signed-in user's account. */
export const USER_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/users', 'listUsers', 'administrator', {
    response: UsersBody,
    handle: async ({ deps, session }) => ({
      users: (await listUsers(deps.people.store, session.accountId)).map(userMembers),
    }),
  }),
  post('/console/api/users', 'createUser', 'administrator', {
    input: NewUserBody,
    hasPassword: true,
    response: UserBody,
    handle: async ({ deps, session, read }) => {
      const { accountId, actor } = actingIn(session);
      return userMembers(await createUser(deps.people, actor, { ...read(), accountId }));
    },
  }),
  post('/console/api/users/{id}/role', 'setUserRole', 'administrator', {
    input: SetRoleBody,
    response: UserBody,
    handle: async (http) => {
      const { actor, key } = changeOf(http);
      return userMembers(await setRole(http.deps.people, actor, key, http.read().role));
    },
  }),
  post('/console/api/users/{id}/password', 'setUserPassword', 'administrator', {
    input: SetPasswordBody,
    hasPassword: true,
    response: UserBody,
    handle: async (http) => {
      const { actor, key } = changeOf(http);
      return userMembers(await setPassword(http.deps.people, actor, key, http.read().password));
    },
  }),
  changeRoute('disable', 'disableUser', disableUser),
  changeRoute('enable', 'enableUser', enableUser),
  changeRoute('reset-second-factor', 'resetSecondFactor', resetSecondFactor),
  changeRoute('unlink-identity', 'unlinkIdentity', unlinkIdentity),
];

function changeRoute(name: string, operationId: string, change: typeof disableUser): ConsoleRoute {
  return post(`/console/api/users/{id}/${name}`, operationId, 'administrator', {
    response: UserBody,
    handle: async (http) => {
      const { actor, key } = changeOf(http);
      return userMembers(await change(http.deps.people, actor, key));
    },
  });
}
