import { scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { PlumblineError } from '../errors.ts';
import { limitConcurrency } from '../threads/limit-concurrency.ts';
import type { RandomBytes } from './api-key.ts';

/** The cost of a guess: memory is 128 · N · r bytes, time about N · r · p. */
interface ScryptCost {
  /** Exponent: N is two to the power of this. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** From OWASP's password storage cheat sheet (2023): N = 2¹⁷, 128 MB and about a third of a second. */
export const SCRYPT_COST: ScryptCost = { logN: 17, r: 8, p: 1 };

export const PASSWORD_LENGTH = { min: 12, max: 256 } as const;

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/**
 * Concurrent hashes, so that a flood of sign-ins takes at most 256 MB and half of the threads that also read
 * files.
 */
const MAX_AT_ONCE = 2;
/** Behind a longer queue, a request would time out. */
const MAX_WAITING = 16;
/**
 * Behind a longer queue, no new password is set: an administrator of any account can do that without limit,
 * and must not crowd out sign-ins.
 */
const MAX_WAITING_FOR_NEW = 4;

/** Creates and checks stored password hashes. */
export interface Passwords {
  /** A new hash with its salt and parameters: `$scrypt$ln=17,r=8,p=1$<salt>$<hash>`. */
  readonly hash: (password: string) => Promise<string>;
  /** Whether a password matches a hash. For null (an unknown user) it takes as long and is false. */
  readonly verify: (password: string, stored: string | null) => Promise<boolean>;
}

export function createPasswords(randomBytes: RandomBytes, cost: ScryptCost = SCRYPT_COST): Passwords {
  const derivations = limitConcurrency(MAX_AT_ONCE);
  const deriveInTurn = (mostWaiting: number, ...of: Parameters<typeof derive>): Promise<Buffer> => {
    if (derivations.waiting() >= mostWaiting) {
      throw new PlumblineError('unavailable', 'Too many people sign in right now. Try again in a moment.');
    }
    return derivations.run(() => derive(...of));
  };
  const nobody = { ...cost, salt: Buffer.from(randomBytes(SALT_BYTES)), hash: Buffer.alloc(HASH_BYTES) };
  return {
    hash: async (password) => {
      const salt = Buffer.from(randomBytes(SALT_BYTES));
      const hash = await deriveInTurn(MAX_WAITING_FOR_NEW, password, salt, cost);
      const { logN, r, p } = cost;
      return `$scrypt$ln=${logN},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
    },
    verify: async (password, stored) => {
      const { salt, hash, ...of } = stored === null ? nobody : parseHash(stored);
      const derived = await deriveInTurn(MAX_WAITING, password, salt, of);
      return timingSafeEqual(derived, hash) && stored !== null;
    },
  };
}

const HASH = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/;

function parseHash(stored: string): ScryptCost & { readonly salt: Buffer; readonly hash: Buffer } {
  const [, logN, r, p, salt, hash] = HASH.exec(stored) ?? [];
  if (!salt || !hash) throw new Error('a stored password hash is damaged');
  return {
    logN: Number(logN),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

/** In another thread. The same letters typed on another keyboard may be other code points: NFKC makes them one. */
function derive(password: string, salt: Buffer, { logN, r, p }: ScryptCost): Promise<Buffer> {
  const N = 2 ** logN;
  // Node's own limit of 32 MB is below what this is meant to take.
  const options: ScryptOptions = { N, r, p, maxmem: 128 * N * r + 128 * r * p + 1_048_576 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}

/**
 * zxcvbn score of passwords that take 10⁸ guesses or more: sufficient for a sign-in that allows five attempts.
 */
const SCORE_MIN = 3;
/**
 * The estimate takes 0.2 s at most for 32 characters, on the thread that serves requests, and three times as long for 64.
 * If the first 32 characters are strong, so is the password.
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
  const { min, max } = PASSWORD_LENGTH;
  if (characters.length < min || characters.length > max) {
    throw new PlumblineError(
      'bad_request',
      `A password has ${min} to ${max} characters. Several unrelated words are easy to remember.`,
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
