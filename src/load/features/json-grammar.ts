import { JsonFault } from './json-fault.ts';

export interface JsonEvents {
  readonly open: (isArray: boolean) => void;
  readonly close: () => void;
  readonly key: (name: string) => void;
  readonly text: (value: string) => void;
  /** Also NaN and ±Infinity, which JSON lacks but Python's writer emits: the reader says which value is at fault. */
  readonly number: (value: number) => void;
  readonly constant: (value: boolean | null) => void;
}

/** Turns tokens into events, and refuses those that stand where they cannot. Each comes with the byte it begins at. */
export interface JsonGrammar {
  readonly text: (value: string, atByte: number) => void;
  readonly number: (value: number, atByte: number) => void;
  readonly constant: (value: boolean | null, atByte: number) => void;
  readonly punctuation: (byte: number, atByte: number) => void;
  readonly isComplete: () => boolean;
}

/** Deeper nesting is an attack or a mistake; GeoJSON needs 9. */
const MOST_DEPTH = 32;

/** What may come next. */
const VALUE = 0;
const VALUE_OR_CLOSE = 1;
const KEY = 2;
const KEY_OR_CLOSE = 3;
const COLON = 4;
const COMMA_OR_CLOSE = 5;
const NOTHING = 6;

export function createJsonGrammar(events: JsonEvents): JsonGrammar {
  const isArrayAt: boolean[] = [];
  let expected = VALUE;

  const beginValue = (atByte: number): void => {
    if (expected !== VALUE && expected !== VALUE_OR_CLOSE) throw misplaced('a value', atByte);
    expected = isArrayAt.length === 0 ? NOTHING : COMMA_OR_CLOSE;
  };
  const open = (isArray: boolean, atByte: number): void => {
    beginValue(atByte);
    if (isArrayAt.length >= MOST_DEPTH) {
      throw new JsonFault(`arrays and objects are nested more than ${MOST_DEPTH} deep`, atByte);
    }
    isArrayAt.push(isArray);
    expected = isArray ? VALUE_OR_CLOSE : KEY_OR_CLOSE;
    events.open(isArray);
  };
  const close = (isArray: boolean, atByte: number): void => {
    const mayClose = expected === COMMA_OR_CLOSE || expected === (isArray ? VALUE_OR_CLOSE : KEY_OR_CLOSE);
    if (!mayClose || isArrayAt.pop() !== isArray) throw misplaced(isArray ? '"]"' : '"}"', atByte);
    expected = isArrayAt.length === 0 ? NOTHING : COMMA_OR_CLOSE;
    events.close();
  };
  return {
    isComplete: () => expected === NOTHING,
    text(value, atByte) {
      if (expected === KEY || expected === KEY_OR_CLOSE) {
        expected = COLON;
        events.key(value);
      } else {
        beginValue(atByte);
        events.text(value);
      }
    },
    number(value, atByte) {
      beginValue(atByte);
      events.number(value);
    },
    constant(value, atByte) {
      beginValue(atByte);
      events.constant(value);
    },
    punctuation(byte, atByte) {
      const mark = String.fromCharCode(byte);
      if (mark === '[' || mark === '{') open(mark === '[', atByte);
      else if (mark === ']' || mark === '}') close(mark === ']', atByte);
      else if (mark === ',' && expected === COMMA_OR_CLOSE)
        expected = isArrayAt[isArrayAt.length - 1] ? VALUE : KEY;
      else if (mark === ':' && expected === COLON) expected = VALUE;
      else throw misplaced(`"${mark}"`, atByte);
    },
  };
}

function misplaced(what: string, atByte: number): JsonFault {
  return new JsonFault(`${what} stands where it cannot`, atByte);
}
