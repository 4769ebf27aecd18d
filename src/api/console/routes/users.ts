import {
  getUsers,
  postDisableUser,
  postEnableUser,
  postUser,
  postUserPassword,
  postUserRole,
} from '../handlers/users.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { NewUserBody, SetPasswordBody, SetRoleBody, UserBody, UsersBody } from '../schemas/users.ts';

const CHANGE = { method: 'POST', access: 'administrator', answer: UserBody } as const;

/** The people of the account of whoever is signed in. */
export const USER_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/users',
    operationId: 'listUsers',
    access: 'administrator',
    answer: UsersBody,
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
