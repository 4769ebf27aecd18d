/**
 * TIFF's LZW by the simple, slow method: find the longest known text, write its code, add one longer text.
 */
export function encodeLzw(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  let window = 0;
  let windowBits = 0;
  let codes = new Map<string, number>();
  let bits = 9;
  const put = (code: number): void => {
    window = (window << bits) | code;
    windowBits += bits;
    while (windowBits >= 8) {
      windowBits -= 8;
      out.push((window >>> windowBits) & 0xff);
      window &= (1 << windowBits) - 1;
    }
  };
  const clear = (): void => {
    put(256);
    codes = new Map();
    bits = 9;
  };
  const codeOf = (text: string): number => (text.length === 1 ? text.charCodeAt(0) : (codes.get(text) ?? -1));
  clear();
  let text = '';
  for (const byte of bytes) {
    const longer = text + String.fromCharCode(byte);
    if (longer.length === 1 || codes.has(longer)) {
      text = longer;
      continue;
    }
    put(codeOf(text));
    codes.set(longer, 258 + codes.size);
    const last = 257 + codes.size;
    if (last === 4094) clear();
    else if (last + 1 === 1 << bits) bits++;
    text = String.fromCharCode(byte);
  }
  if (text !== '') {
    put(codeOf(text));
    // A decoder adds one more code here, so it may need a wider end marker.
    if (codes.size + 259 === 1 << bits && bits < 12) bits++;
  }
  put(257);
  if (windowBits > 0) out.push((window << (8 - windowBits)) & 0xff);
  return Uint8Array.from(out);
}
