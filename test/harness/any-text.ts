import * as fc from 'fast-check';

const codePoint = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0x10ffff }),
);

/**
 * Text of any Unicode characters, and texts such as `__proto__`. The library's own `unit: 'binary'` maps all
 * 1.1 million code points first, which takes 2.5 s of CPU time in each file.
 */
export function anyText(lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) {
  const text = fc.array(codePoint, lengths).map((points) => String.fromCodePoint(...points));
  return fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: fc.string(lengths) });
}
