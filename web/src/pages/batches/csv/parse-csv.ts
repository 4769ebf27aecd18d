/** Takes text in pieces of any size and hands out records. */
export interface CsvParser {
  readonly push: (text: string) => void;
  /** Ends the last record. The number, from 1, of the record whose quoted cell never ended; null where all is well. */
  readonly end: () => number | null;
}

const QUOTE = '"';

/**
 * RFC 4180 as spreadsheets write it: records end with CR, LF or both, a quote opens a cell only where it begins, `""`
 * inside is a quote. What follows a closing quote belongs to the cell. An empty line is a record of one empty cell, so that
 * records have the numbers that a spreadsheet shows.
 */
export function createCsvParser(separator: string, onRecord: (cells: string[]) => void): CsvParser {
  let cells: string[] = [];
  let cell = '';
  let isCellBegin = true;
  let isQuoted = false;
  /** A quote was read inside quotes: their end, or the first of two. */
  let mayClose = false;
  /** The LF of a CR LF, whose record has ended. */
  let skipsLf = false;
  let records = 0;

  const endCell = (): void => {
    cells.push(cell);
    cell = '';
    isCellBegin = true;
  };
  const endRecord = (): void => {
    endCell();
    records++;
    onRecord(cells);
    cells = [];
  };

  return {
    push(text) {
      let from = 0;
      for (let at = 0; at < text.length; at++) {
        const char = text[at];
        if (mayClose) {
          mayClose = false;
          from = at;
          if (char === QUOTE) continue;
          isQuoted = false;
        }
        if (isQuoted) {
          if (char !== QUOTE) continue;
          cell += text.slice(from, at);
          from = at + 1;
          mayClose = true;
          continue;
        }
        const isSkipped = skipsLf && char === '\n';
        skipsLf = char === '\r';
        if (isSkipped) {
          from = at + 1;
        } else if (char === separator || char === '\n' || char === '\r') {
          cell += text.slice(from, at);
          from = at + 1;
          if (char === separator) endCell();
          else endRecord();
        } else if (char === QUOTE && isCellBegin) {
          isQuoted = true;
          isCellBegin = false;
          from = at + 1;
        } else {
          isCellBegin = false;
        }
      }
      cell += text.slice(from);
    },
    end() {
      const isOpen = isQuoted && !mayClose;
      if (cells.length > 0 || cell !== '' || !isCellBegin) endRecord();
      return isOpen ? records : null;
    },
  };
}
