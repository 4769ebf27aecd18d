import type { Static } from 'typebox';
import type {
  RecoveryCodesBody,
  SecondFactorBody,
  StartedSecondFactorBody,
} from '../../../src/api/console/sign-in/second-factor.ts';
import { get, post } from './request.ts';

type SecondFactor = Static<typeof SecondFactorBody>;
export type StartedSecondFactor = Static<typeof StartedSecondFactorBody>;

export const readSecondFactor = (signal: AbortSignal) => get<SecondFactor>('/second-factor', { signal });
export const startSecondFactor = (password: string) =>
  post<StartedSecondFactor>('/second-factor/start', { body: { password } });
export const confirmSecondFactor = async (code: string) =>
  (await post<Static<typeof RecoveryCodesBody>>('/second-factor/confirm', { body: { code } })).recovery_codes;
export const removeSecondFactor = (password: string, code: string) =>
  post('/second-factor/remove', { body: { password, code } });
export const replaceRecoveryCodes = async (code: string) =>
  (await post<Static<typeof RecoveryCodesBody>>('/second-factor/recovery-codes', { body: { code } }))
    .recovery_codes;
