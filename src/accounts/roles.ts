import type { Role } from '../domain/role.ts';
import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { includesScope, type Scope } from './scopes.ts';

/**
 * Rights of console users (API keys have scopes instead): everyone who is signed in; administrators, for their
 * account; operators, who are administrators of the installation's own account, for all accounts.
 */
export const RIGHTS = ['signed_in', 'administrator', 'operator'] as const;
export type Right = (typeof RIGHTS)[number];

/** The API operations that a role may use, as key scopes. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  member: [
    'avm:*',
    'batch:*',
    'portfolios',
    'comprehensive',
    'places:*',
    'market:read',
    'valuations:read',
    'valuations:share',
    'valuations:save',
    'coverage:read',
    'usage:read',
    'webhooks:read',
  ],
  administrator: ['*'],
};

/** The user whose rights are checked. */
interface RoleHolder {
  readonly role: Role;
  readonly accountId: string;
}

export function isOperator({ role, accountId }: RoleHolder): boolean {
  return role === 'administrator' && accountId === DEFAULT_ACCOUNT_ID;
}

function hasRight(holder: RoleHolder, right: Right): boolean {
  if (right === 'operator') return isOperator(holder);
  return right === 'signed_in' || holder.role === 'administrator';
}

/** @throws PlumblineError `role_forbidden` */
export function rejectWithoutRight(holder: RoleHolder, right: Right): void {
  if (hasRight(holder, right)) return;
  throw new PlumblineError(
    'role_forbidden',
    right === 'operator'
      ? 'Only administrators of the account of this installation may do this.'
      : 'Only administrators may do this. Ask one of your account.',
  );
}

/** @throws PlumblineError `role_forbidden` */
export function rejectWithoutScope({ role }: RoleHolder, scope: Scope): void {
  if (includesScope(ROLE_SCOPES[role], scope)) return;
  throw new PlumblineError(
    'role_forbidden',
    `The role "${role}" does not include this operation ("${scope}"). Ask an administrator of your account.`,
  );
}
