import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { casesOf } from '../../test/harness/cases.ts';
import { createCsvReader, EndlessRecordError } from './csv-records.ts';
import type { TableRow } from './table.ts';

/** The rows of a text that is read in chunks; null if its last record does not end. */
function readInChunks(text: string, delimiter: string, chunkBytes: number): TableRow[] | null {
  const reader = createCsvReader(delimiter);
  const bytes = Buffer.from(text);
  const rows: TableRow[] = [];
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      rows.push(...reader.read(bytes.subarray(at, at + chunkBytes)));
    }
    return [...rows, ...reader.end()];
  } catch (error) {
    assert.ok(error instanceof EndlessRecordError);
    return null;
  }
}

/** The same by a library. */
function readByLibrary(text: string, delimiter: string): string[][] | null {
  try {
    return parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      ltrim: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    assert.ok(error instanceof CsvError);
    return null;
  }
}

test('any text gives the cells that a library for CSV gives, in chunks of any length', () => {
  const piece = fc.constantFrom(
    '"',
    '"',
    '""',
    ',',
    ';',
    '\n',
    '\r\n',
    '\r',
    ' ',
    '\t',
    '\u00a0',
    'a',
    'é',
    '12',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
      fc.constantFrom(',', ';', '\t', ' ', '😀'),
      fc.integer({ min: 1, max: 9 }),
      (text, delimiter, chunkBytes) => {
        const rows = readInChunks(text, delimiter, chunkBytes);
        assert.deepEqual(rows?.map(({ cells }) => cells) ?? null, readByLibrary(text, delimiter));
      },
    ),
    { numRuns: casesOf(20_000) },
  );
});

test('a record is numbered by the line on which it starts', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['a,b', '', '"1', '2",x', '3', ' ', '"4"'].join(end);
    const rows = readInChunks(text, ',', 3) ?? [];
    assert.deepEqual(
      rows.map(({ line, cells }) => [line, cells]),
      [
        [1, ['a', 'b']],
        [3, [`1${end}2`, 'x']],
        [5, ['3']],
        [7, ['4']],
      ],
    );
  }
});

test('a record that is too long is reported with its line and the records before it', () => {
  for (const text of ['a,b\n\n1,"xxxx\nxxxx\nxxxx', `a,b\n\n1,${'x'.repeat(20)}`]) {
    const reader = createCsvReader(',', 10);
    assert.throws(() => reader.read(Buffer.from(text)), { line: 3, records: 1 });
  }
});
