interface HouseNumber {
  /** Digits without leading zeros. Letters and hyphens only as in W156N8480 and 45-12. */
  readonly number: string;
  /** The other end of a range ("9400-9408"); '' for a single number. */
  readonly numberTo: string;
  /** "A", "1/2", "U23"; '' if there is none. */
  readonly numberSuffix: string;
  /** Number of words used; 0 if the text does not start with a house number. */
  readonly words: number;
}

const NONE: HouseNumber = { number: '', numberTo: '', numberSuffix: '', words: 0 };

const SPELLED = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX', 'SEVEN', 'EIGHT', 'NINE', 'TEN'];

export function houseNumberOf(words: readonly string[]): HouseNumber {
  const first = words[0] ?? '';
  const second = words[1] ?? '';
  if (/^[NSEW]\d{1,6}[NSEW]\d{1,6}[A-Z]?$/.test(first)) return { ...NONE, number: first, words: 1 };
  if (/^[NSEW]\d{1,6}$/.test(first) && /^[NSEW]\d{1,6}$/.test(second)) {
    return { ...NONE, number: first + second, words: 2 };
  }
  if (SPELLED.includes(first) && words.length > 2)
    return { ...NONE, number: String(SPELLED.indexOf(first) + 1), words: 1 };
  const plain = /^0*(\d{1,9}?)(?:-*([A-Z]{1,3}))?$/.exec(first);
  if (plain && plain[1] !== '') return withSuffix(plain[1], plain[2] ?? '', second);
  const fraction = /^0*(\d{1,9}?)-(\d\/\d{1,2})$/.exec(first);
  if (fraction) return { ...NONE, number: fraction[1], numberSuffix: fraction[2], words: 1 };
  const suffixed = /^0*(\d{1,9}?)-([A-Z]\d{1,4})$/.exec(first);
  if (suffixed) return { ...NONE, number: suffixed[1], numberSuffix: suffixed[2], words: 1 };
  const range = /^0*(\d{1,9}?)([A-Z]?)-+(\d{1,9})([A-Z]?)$/.exec(first);
  return range ? rangeOf(range[1], range[2], range[3]) : NONE;
}

function withSuffix(number: string, letters: string, next: string): HouseNumber {
  if (/^(ST|ND|RD|TH)$/.test(letters)) return NONE;
  if (letters === '' && /^\d\/\d{1,2}$/.test(next)) return { ...NONE, number, numberSuffix: next, words: 2 };
  return { ...NONE, number, numberSuffix: letters, words: 1 };
}

/** "9400-9408" and "9400-08" are ranges; "45-12" is one number, as in Queens, because 12 is below 45. */
function rangeOf(low: string, letter: string, end: string): HouseNumber {
  const high = end.length < low.length ? low.slice(0, low.length - end.length) + end : end.replace(/^0+/, '');
  if (Number(high) > Number(low)) return { number: low, numberTo: high, numberSuffix: letter, words: 1 };
  if (Number(high) === Number(low)) return { ...NONE, number: low, numberSuffix: letter, words: 1 };
  return { ...NONE, number: `${low}-${end}`, numberSuffix: letter, words: 1 };
}
