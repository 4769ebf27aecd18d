import { seededRandom, type Random } from '../../valuation/random.ts';

/** A separate random stream per purpose ("sales of parcel 17"). The seed is the label's FNV-1a hash. */
export function streamOf(seed: number, label: string): Random {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < label.length; i++) hash = Math.imul(hash ^ label.charCodeAt(i), 0x01000193);
  return seededRandom(hash);
}

export function chance(random: Random, probability: number): boolean {
  return random() < probability;
}

/** A whole number from `from` to `to`, both included. */
export function wholeBetween(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}

export function between(random: Random, from: number, to: number): number {
  return from + random() * (to - from);
}

/** Standard normal, by Box and Muller. 1 − u keeps the argument of the logarithm above 0. */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** One of the choices, each with its share. The last choice takes what the shares leave. */
export function pickByShare<T>(random: Random, choices: readonly (readonly [T, number])[]): T {
  let left = random();
  for (const [choice, share] of choices) {
    left -= share;
    if (left < 0) return choice;
  }
  return choices[choices.length - 1][0];
}

/** Rates of renovation, sale and aging are per year. */
export const DAYS_PER_YEAR = 365.25;
