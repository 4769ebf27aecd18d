import { Type } from 'typebox';
import {
  confirmSecondFactor,
  readOwnSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  startSecondFactor,
} from '../../../accounts/own-second-factor.ts';
import { instantOrNull } from '../../../domain/instant.ts';
import { integer, nullable, responseObject, string } from '../../../schemas/members.ts';
import { type ConsoleRoute, get, post } from '../console-route.ts';
import { browserOf, Code, Password } from './session.ts';

export const SecondFactorBody = responseObject('SecondFactor', {
  since: nullable.string('Null if it is off.'),
  recovery_codes_left: integer('Unused recovery codes.'),
});

export const StartedSecondFactorBody = responseObject('StartedSecondFactor', {
  secret: string('To type into the authenticator app, in base32.'),
  uri: string('The `otpauth:` link of the QR code.'),
  qr_code: string('An SVG as a data URL.'),
});

export const RecoveryCodesBody = responseObject('RecoveryCodes', {
  recovery_codes: Type.Array(string(), { description: 'Each works once. They are not shown again.' }),
});

const SecondFactorOffBody = responseObject('SecondFactorOff', {});

const CodeBody = Type.Object({ code: Code });
const PasswordBody = Type.Object({ password: Password('The current password.') });
const PasswordAndCodeBody = Type.Object({ password: Password('The current password.'), code: Code });

/** The second factor of the signed-in user. */
export const SECOND_FACTOR_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/second-factor', 'readSecondFactor', 'signed_in', {
    response: SecondFactorBody,
    handle: async ({ deps, session }) => {
      const { since, recoveryCodesLeft } = await readOwnSecondFactor(deps.people, session);
      return { since: instantOrNull(since), recoveryCodesLeft };
    },
  }),
  post('/console/api/second-factor/start', 'startSecondFactor', 'signed_in', {
    input: PasswordBody,
    hasPassword: true,
    response: StartedSecondFactorBody,
    handle: ({ deps, session, request, read }) =>
      startSecondFactor(deps.people, session, read().password, browserOf(request)),
  }),
  post('/console/api/second-factor/confirm', 'confirmSecondFactor', 'signed_in', {
    input: CodeBody,
    hasPassword: true,
    response: RecoveryCodesBody,
    handle: async ({ deps, session, read }) => ({
      recoveryCodes: await confirmSecondFactor(deps.people, session, read().code),
    }),
  }),
  post('/console/api/second-factor/remove', 'removeSecondFactor', 'signed_in', {
    input: PasswordAndCodeBody,
    hasPassword: true,
    response: SecondFactorOffBody,
    handle: async ({ deps, session, request, read }) => {
      await removeSecondFactor(deps.people, session, read(), browserOf(request));
      return {};
    },
  }),
  post('/console/api/second-factor/recovery-codes', 'replaceRecoveryCodes', 'signed_in', {
    input: CodeBody,
    hasPassword: true,
    response: RecoveryCodesBody,
    handle: async ({ deps, session, request, read }) => ({
      recoveryCodes: await replaceRecoveryCodes(deps.people, session, read().code, browserOf(request)),
    }),
  }),
];
