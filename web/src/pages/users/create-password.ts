/** Without characters that look like another: 0 O 1 l I. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** Four groups of five letters out of 56: 116 bits, and still easy to type. */
export function createPassword(): string {
  return Array.from({ length: GROUPS }, createGroup).join('-');
}

function createGroup(): string {
  let group = '';
  while (group.length < GROUP_LENGTH) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    // 224 is the largest multiple of 56 in a byte. Larger bytes would favor the first letters.
    if (byte < 224) group += LETTERS[byte % LETTERS.length];
  }
  return group;
}
