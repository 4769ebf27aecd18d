import { parseDay } from '../../domain/day.ts';
import { propertyTypeOf } from '../../domain/property-type-words.ts';
import type { MemberType } from './members.ts';

export type CellValue = string | number | boolean;

/** The value of a cell, null where it is empty or unknown, or what is wrong with it. */
export type ReadCell =
  | { readonly value: CellValue | null; readonly problem: null }
  | { readonly value: null; readonly problem: string };

const NOTHING: ReadCell = { value: null, problem: null };

/** No value is this long. The rest of a longer cell is ignored. */
const CELL_CHARACTERS_READ = 4000;

/** What exports write for an unknown value. */
const UNKNOWN = new Set([
  '',
  ...'null, nil, none, na, n/a, #n/a, nan, -, –, —, ., ?, unknown, unk'.split(', '),
]);

/** Reads a cell by the rules of the API, and as spreadsheets write values: `1,850`, `$900`, `yes`, `6/30/2026`. */
export function readCell(type: MemberType, cell: string): ReadCell {
  const start = cell.slice(0, CELL_CHARACTERS_READ);
  // The API and PostgreSQL reject control characters.
  // oxlint-disable-next-line no-control-regex
  const text = start.replace(/[\s\u0000-\u001f]+/g, ' ').trim();
  if (UNKNOWN.has(text.toLowerCase())) return NOTHING;
  switch (type.kind) {
    case 'text':
      return readText(type.lengthMax, text);
    case 'integer':
    case 'number':
      return readNumber(type, text);
    case 'boolean':
      return readYesNo(text);
    case 'day':
      return readDay(text);
    case 'choice':
      return readChoice(type.choices, text);
  }
}

function valueOf(value: CellValue): ReadCell {
  return { value, problem: null };
}

function wrong(text: string, problem: string): ReadCell {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return { value: null, problem: `“${shown}” ${problem}` };
}

/** Spreadsheets, and our CSV, mark a text that looks like a number or a formula by an apostrophe: `'00410000`. */
const TEXT_MARK = /^'(?=[\d=+\-@])/;

function readText(lengthMax: number, text: string): ReadCell {
  if (text.length > lengthMax) return wrong(text, `is longer than ${lengthMax} characters`);
  return valueOf(text.replace(TEXT_MARK, '').toWellFormed());
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)$/;
const THOUSANDS = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/;
/** 2,5 as most of Europe writes 2.5. A comma before three digits separates thousands. */
const DECIMAL_COMMA = /^[+-]?\d+,\d{1,2}$/;
const UNIT = /\s*(sq\.?\s?ft\.?|sqft|sf|ft²|ft2|square feet)$/i;

/** A negative amount as accountants write it: `(1,250.00)`. */
const ACCOUNTING = /^\(\s*\$?\s*([\d.,]+)\s*\)$/;

function readNumber(type: Extract<MemberType, { minimum: number }>, text: string): ReadCell {
  const bare = text
    .replace(UNIT, '')
    .replace(ACCOUNTING, '-$1')
    .replace(/^\$\s*/, '')
    .replaceAll(/(?<=\d)[ \u00a0\u202f](?=\d{3}\b)/g, '');
  const plain = THOUSANDS.test(bare)
    ? bare.replaceAll(',', '')
    : DECIMAL_COMMA.test(bare)
      ? bare.replace(',', '.')
      : bare;
  if (!DECIMAL.test(plain)) return wrong(text, 'is not a number');
  const value = Number(plain);
  const { kind, minimum, maximum } = type;
  if (kind === 'integer' && !Number.isInteger(value)) return wrong(text, 'must be a whole number');
  if (value < minimum) return wrong(text, `must be at least ${minimum}`);
  if (value > maximum) return wrong(text, `must be at most ${maximum}`);
  // -0 becomes 0.
  return valueOf(value === 0 ? 0 : value);
}

const YES = new Set(['true', 't', 'yes', 'y', '1', 'x', '✓', 'on']);
const NO = new Set(['false', 'f', 'no', 'n', '0', 'off']);

function readYesNo(text: string): ReadCell {
  const word = text.toLowerCase();
  if (YES.has(word)) return valueOf(true);
  if (NO.has(word)) return valueOf(false);
  return wrong(text, 'is neither yes nor no');
}

const AMERICAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;

/** ISO dates, timestamps, `20260630`, and the American `6/30/2026`. */
function readDay(text: string): ReadCell {
  const iso = text
    .replace(/^(\d{4}-\d{2}-\d{2})[T ].*$/, '$1')
    .replace(COMPACT, '$1-$2-$3')
    .replace(AMERICAN, (_, month: string, day: string, year: string) =>
      [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
    );
  if (parseDay(iso) === null) return wrong(text, 'is not a date: write it as 2026-06-30 or 6/30/2026');
  return valueOf(iso);
}

function readChoice(choices: readonly string[], text: string): ReadCell {
  const bare = text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const found = choices.find((choice) => choice.replaceAll('_', '') === bare) ?? propertyTypeOf(text, null);
  if (found !== null && choices.includes(found)) return valueOf(found);
  return wrong(text, `must be one of ${choices.join(', ')}`);
}
