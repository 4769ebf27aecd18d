import { Type } from 'typebox';
import { KEY_NAME_LENGTH_MAX, OVERLAP_DAYS_MAX } from '../../../accounts/manage-keys.ts';
import { SCOPES } from '../../../accounts/scopes.ts';
import { answer } from '../../../schemas/response-object.ts';
import { nullableString, oneOf } from '../../../schemas/members.ts';

const ENVIRONMENTS = ['live', 'test'] as const;

export const NewKeyBody = Type.Object(
  {
    name: Type.String({ description: 'What it is for.', minLength: 1, maxLength: KEY_NAME_LENGTH_MAX }),
    environment: oneOf(ENVIRONMENTS, { description: 'live or test.' }),
    scopes: Type.Array(oneOf(SCOPES), {
      description: 'What it opens.',
      minItems: 1,
      maxItems: SCOPES.length,
    }),
    expires_at: Type.Optional(
      nullableString({
        description: 'Until when it works, as YYYY-MM-DD (that day too) or an instant; null = without end.',
        maxLength: 40,
      }),
    ),
  },
  { title: 'NewKey' },
);

export const RotateKeyBody = Type.Object(
  {
    overlap_days: Type.Integer({
      description: 'How long the old key runs on.',
      minimum: 0,
      maximum: OVERLAP_DAYS_MAX,
    }),
  },
  { title: 'RotateKey' },
);

const keyMembers = {
  id: Type.String({ description: 'The 8 characters after plb_live_ or plb_test_.' }),
  name: Type.String(),
  environment: oneOf(ENVIRONMENTS),
  scopes: Type.Array(Type.String()),
  last_characters: Type.String(),
  created_at: Type.String(),
  expires_at: nullableString(),
  last_used_at: nullableString({ description: 'To the minute.' }),
  revoked_at: nullableString(),
};

export const KeyBody = answer('Key', keyMembers);

export const IssuedKeyBody = answer('IssuedKey', {
  ...keyMembers,
  key: Type.String({ description: 'The key itself, shown this once.' }),
});

export const KeysBody = answer('Keys', { keys: Type.Array(KeyBody, { description: 'Oldest first.' }) });
