import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { PlumblineError } from '../errors.ts';
import { PASSWORD_LENGTH } from './passwords.ts';

/**
 * zxcvbn score of passwords that take 10⁸ guesses or more: sufficient for a sign-in that allows five
 * attempts.
 */
const SCORE_MIN = 3;
/**
 * The estimate takes 0.2 s at most for 32 characters, on the thread that serves requests, and three times as long for 64. If the first 32 characters are
 * strong, so is the password.
 */
const CHARACTERS_ESTIMATED = 32;

let estimator: Promise<ZxcvbnFactory> | null = null;

/** Loaded when the first password is set: its lists of common passwords take 30 MB. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { dictionary, adjacencyGraphs: graphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ dictionary, graphs });
}

/** Rejects a new password that is too short or easily guessed: common, repetitive, or made from the user's name. */
export async function rejectWeakPassword(password: string, name: string): Promise<void> {
  const characters = [...password.normalize('NFKC')];
  const { least, most } = PASSWORD_LENGTH;
  if (characters.length < least || characters.length > most) {
    throw new PlumblineError(
      'bad_request',
      `A password has ${least} to ${most} characters. Several unrelated words are easy to remember.`,
    );
  }
  estimator ??= loadEstimator();
  const start = characters.slice(0, CHARACTERS_ESTIMATED).join('');
  const { score } = (await estimator).check(start, ['plumbline', name, ...name.split(/[^\p{L}\p{N}]+/u)]);
  if (score >= SCORE_MIN) return;
  throw new PlumblineError(
    'bad_request',
    'This password is easily guessed: it is common, repeats itself, or contains your name. Use several unrelated words.',
  );
}
