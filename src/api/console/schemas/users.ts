import { Type } from 'typebox';
import { USER_NAME_LENGTH_MAX } from '../../../accounts/manage-users.ts';
import { PASSWORD_LENGTH } from '../../../accounts/passwords.ts';
import { ROLES } from '../../../domain/role.ts';
import { answer } from '../../../schemas/response-object.ts';
import { nullableString, oneOf } from '../../../schemas/members.ts';

const Role = oneOf(ROLES, { description: 'What they may do.' });
const NewPassword = Type.String({
  description: 'Of 12 characters or more. It is not told to them: that is for whoever sets it to do.',
  minLength: PASSWORD_LENGTH.least,
  maxLength: PASSWORD_LENGTH.most,
});

export const NewUserBody = Type.Object(
  {
    name: Type.String({
      description: 'By which they sign in, such as an e-mail address.',
      minLength: 1,
      maxLength: USER_NAME_LENGTH_MAX,
    }),
    role: Role,
    password: NewPassword,
  },
  { title: 'NewUser' },
);

export const SetRoleBody = Type.Object({ role: Role }, { title: 'SetRole' });

export const SetPasswordBody = Type.Object({ password: NewPassword }, { title: 'SetPassword' });

export const UserBody = answer('User', {
  id: Type.String(),
  name: Type.String(),
  role: oneOf(ROLES),
  created_at: Type.String(),
  password_changed_at: Type.String(),
  disabled_at: nullableString({ description: 'Since when they cannot sign in; null of everybody who can.' }),
});

export const UsersBody = answer('Users', { users: Type.Array(UserBody, { description: 'Oldest first.' }) });
