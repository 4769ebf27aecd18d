import { seededRandom, type Random } from '../../valuation/random.ts';

/**
 * An own stream of numbers for each purpose ("parcel 17's events"), so that drawing one thing more or less in
 * one place shifts nothing elsewhere. FNV-1a over the label gives the seed.
 */
export function streamOf(seed: number, label: string): Random {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < label.length; i++) hash = Math.imul(hash ^ label.charCodeAt(i), 0x01000193);
  return seededRandom(hash);
}

export function chance(random: Random, probability: number): boolean {
  return random() < probability;
}

/** Whole number in from … to, both included. */
export function wholeBetween(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}

export function between(random: Random, from: number, to: number): number {
  return from + random() * (to - from);
}

/** Standard normal by Box–Muller; 1 − u keeps the logarithm's argument above 0. */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** The first choice whose cumulated share exceeds a draw; shares need not sum to 1 (the last takes the rest). */
export function pickByShare<T>(random: Random, choices: readonly (readonly [T, number])[]): T {
  let left = random();
  for (const [choice, share] of choices) {
    left -= share;
    if (left < 0) return choice;
  }
  return choices[choices.length - 1][0];
}
