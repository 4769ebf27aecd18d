import { Type } from 'typebox';
import { PASSWORD_LENGTH } from '../../../accounts/passwords.ts';
import { USER_NAME_LENGTH_MAX } from '../../../accounts/manage-users.ts';
import { ROLES } from '../../../domain/role.ts';
import { answer } from '../../../schemas/response-object.ts';
import { oneOf } from '../../../schemas/members.ts';

const Password = (description: string) => Type.String({ description, maxLength: PASSWORD_LENGTH.most });

export const SignInBody = Type.Object(
  {
    name: Type.String({ description: 'In any spelling.', maxLength: USER_NAME_LENGTH_MAX }),
    password: Password('As it was set.'),
  },
  { title: 'SignIn' },
);

export const PasswordChangeBody = Type.Object(
  {
    current_password: Password('As it is now.'),
    new_password: Password(`${PASSWORD_LENGTH.least} characters or more.`),
  },
  { title: 'PasswordChange' },
);

export const SessionBody = answer('Session', {
  user: answer('SessionUser', { id: Type.String(), name: Type.String(), role: oneOf(ROLES) }),
  account: answer('SessionAccount', { id: Type.String(), name: Type.String(), plan: Type.String() }),
  is_operator: Type.Boolean({ description: 'An administrator of the account of the installation.' }),
  csrf_token: Type.String({ description: 'What every change brings in `X-CSRF-Token`.' }),
  expires_at: Type.String({ description: 'When it ends if it is not used again.' }),
});

export const SignedOutBody = answer('SignedOut', {});

export const OwnSessionBody = answer('OwnSession', {
  id: Type.String(),
  is_current: Type.Boolean({ description: 'The one that asks.' }),
  created_at: Type.String(),
  last_seen_at: Type.String({ description: 'To the minute.' }),
  expires_at: Type.String({ description: 'However much it is used.' }),
  ip: Type.String({ description: 'Where it began.' }),
  user_agent: Type.String({ description: 'What the browser said it was.' }),
});

export const OwnSessionsBody = answer('OwnSessions', {
  sessions: Type.Array(OwnSessionBody, { description: 'Newest first.' }),
});

export const RevokedSessionBody = answer('RevokedSession', { id: Type.String() });
