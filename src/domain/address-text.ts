/** Maximum length of an address. The rest is ignored, so that hostile text costs no more than an address. */
const MAX_CHARACTERS = 400;

const FRACTIONS: Readonly<Record<string, string>> = {
  '½': '1/2',
  '¼': '1/4',
  '¾': '3/4',
  '⅓': '1/3',
  '⅔': '2/3',
};

/**
 * The words of an address in upper case, without accents and punctuation, in segments separated by commas and
 * line breaks. `#` is a word; hyphens stay inside words ("9400-9408"), slashes inside fractions.
 */
export function addressWords(text: string): string[][] {
  if (text === '') return [];
  return text
    .slice(0, MAX_CHARACTERS)
    .replace(/[½¼¾⅓⅔]/g, (fraction) => ` ${FRACTIONS[fraction]} `)
    .normalize('NFKD')
    .toUpperCase()
    .replace(/\p{M}|['‘’ʼ`´]/gu, '')
    .replace(/,(?=\s*[JS]R\b)/g, ' ')
    .split(/[,;|\r\n]+/)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

function wordsOf(segment: string): string[] {
  return segment
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/\b([A-Z])\.(?=[A-Z]\b)/g, '$1')
    .replace(/(\d)\s+-\s+(?=\d)/g, '$1-')
    .replace(/(?<!\d)\/|\/(?!\d)/g, ' ')
    .replace(/#/g, ' # ')
    .replace(/[^\p{L}\p{N}#/-]+/gu, ' ')
    .split(' ')
    .map((word) => word.replace(/^-+|-+$/g, ''))
    .filter((word) => word !== '');
}
