/** Without what is taken for something else when it is read out: 0 O 1 l I. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** Four groups of five out of 56 letters: 116 bits, and still something to type from a note. */
export function makePassword(): string {
  return Array.from({ length: GROUPS }, makeGroup).join('-');
}

function makeGroup(): string {
  let group = '';
  while (group.length < GROUP_LENGTH) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    // 224 is the largest multiple of 56 within a byte: beyond it, the first letters would come more often.
    if (byte < 224) group += LETTERS[byte % LETTERS.length];
  }
  return group;
}
