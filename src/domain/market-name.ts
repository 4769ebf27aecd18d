import { stateNameOf } from './us-states.ts';

/** `wi-milwaukee` → `Milwaukee, WI`; `sample-county` → `Sample County`; `ny-nyc` → `NYC, NY`. */
export function marketName(marketId: string): string {
  const [first = '', ...others] = marketId.split('-');
  const state = first.toUpperCase();
  const isInState = stateNameOf(state) !== null && others.length > 0;
  const name = (isInState ? others : [first, ...others]).filter(Boolean).map(capitalized).join(' ');
  return isInState ? `${name}, ${state}` : name;
}

/** A word without a vowel is an abbreviation. */
function capitalized(word: string): string {
  return /[aeiou]/.test(word) ? word[0].toUpperCase() + word.slice(1) : word.toUpperCase();
}
