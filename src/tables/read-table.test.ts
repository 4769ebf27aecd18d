import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { PlumblineError } from '../errors.ts';
import { openTable } from './open-table.ts';
import { PARQUET_FILE } from '../../test/harness/load/parquet.ts';
import { zipBytes } from '../../test/harness/load/shapefile.ts';
import { workbookBytes } from '../../test/harness/load/workbook.ts';
import type { TableFormat } from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-read-'));
after(() => rmSync(folder, { recursive: true }));

async function readAll(
  bytes: string | Buffer,
): Promise<{ columns: readonly string[]; rows: string[]; format?: TableFormat }> {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  const table = await openTable(path, () => {});
  const rows: string[] = [];
  for await (const batch of table.batches) {
    for (const row of batch) rows.push(`${row.line}: ${row.cells.join(' | ')}`);
  }
  return { columns: table.columns, rows, format: table.format?.() };
}

test('a table reads the same with any compression, line ends, delimiter and byte order mark', async () => {
  const expected = { columns: ['a', 'b'], rows: ['2: 1 | x', '3: 2 | y, z'] };
  const textOf = async (bytes: string | Buffer) => {
    const { columns, rows } = await readAll(bytes);
    return { columns, rows };
  };
  const plain = 'a,b\n1,x\n2,"y, z"\n';
  for (const text of [
    plain,
    plain.trimEnd(),
    `\ufeff${plain}`,
    plain.replaceAll('\n', '\r\n'),
    plain.replaceAll('\n', '\r'),
    'a;b\n1;x\n2;y, z\n',
    'a\tb\n1\tx\n2\ty, z\n',
    ' a |b \n1|x\n2|y, z\n',
    'a^b\n1^x\n2^y, z\n',
  ]) {
    assert.deepEqual(await textOf(text), expected, JSON.stringify(text));
    assert.deepEqual(await textOf(gzipSync(text)), expected, `gzip of ${JSON.stringify(text)}`);
  }
});

test('a row is numbered by the line it begins on, after blank lines and quoted line ends of every kind', async () => {
  for (const end of ['\n', '\r\n']) {
    const text = ['a,b', '1,x', '', '2,"p', 'q', 'r"', '3,y', '"4', '",z', '5,"w"'].join(end);
    const { rows } = await readAll(text);
    assert.deepEqual(
      rows.map((row) => row.split(':')[0]),
      ['2', '4', '7', '8', '10'],
      JSON.stringify(end),
    );
  }
});

test('a line of thousands of symbols is read at once, though each could be the delimiter', async () => {
  const symbols = String.fromCodePoint(...Array.from({ length: 5000 }, (_, i) => 0x2190 + i));
  const started = performance.now();
  assert.equal((await readAll(`${symbols}\n${'a,b,c\n'.repeat(9000)}`)).columns[1], 'b');
  assert.ok(performance.now() - started < 3000);
});

/** The files that this process has open. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // The one by which this folder was read is closed again.
      return '';
    }
  });
}

test('a file that is not read to its end is closed', async () => {
  const rows = 'a,b,c\n'.repeat(100_000);
  const cells = Array.from({ length: 30_000 }, (_, i) => [`a${i}`, i, -1 - i]);
  for (const bytes of [
    rows,
    gzipSync(rows),
    zipBytes([{ name: 'a.csv', bytes: Buffer.from(rows) }]),
    workbookBytes(cells),
  ]) {
    const path = join(folder, 'open');
    writeFileSync(path, bytes);
    for (const reads of [0, 1]) {
      const { batches, close } = await openTable(path, () => {});
      if (reads > 0) for await (const batch of batches) if (batch.length > 0) break;
      await close?.();
      const isOpen = () => openFiles().includes(path);
      for (let tries = 0; isOpen() && tries < 100; tries++) await setTimeout(50);
      assert.ok(!isOpen());
    }
  }
});

test('a workbook with a text or a list that no workbook has is rejected in little memory', async () => {
  const parts = {
    '[Content_Types].xml': '<Types/>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r" Target="worksheets/a.xml"/></Relationships>',
  };
  const workbook = '<workbook><sheets><sheet name="a" id="r"/></sheets></workbook>';
  for (const [part, xml, message] of [
    [
      'xl/worksheets/a.xml',
      `<worksheet><!--${'a'.repeat(3 << 20)}--></worksheet>`,
      /longer than a million characters/,
    ],
    ['xl/sharedStrings.xml', `<sst>${'<si/>'.repeat(7_000_000)}</sst>`, /more text than can be held/],
    ['xl/styles.xml', `<styleSheet>${'<xf/>'.repeat(4_000_000)}</styleSheet>`, /styles\.xml is too long/],
  ] as const) {
    const all = { 'xl/workbook.xml': workbook, 'xl/worksheets/a.xml': '<worksheet/>', ...parts, [part]: xml };
    const bytes = zipBytes(Object.entries(all).map(([name, text]) => ({ name, bytes: Buffer.from(text) })));
    await assert.rejects(readAll(bytes), message);
  }
});

test('rows with stray quotes, and short or long rows, are read', async () => {
  const { rows } = await readAll('a,b\n12" pipe,"x"y\nshort\n1,2,3\n');
  assert.deepEqual(rows, ['2: 12" pipe | "x"y', '3: short', '4: 1 | 2 | 3']);
});

test('text is read in its encoding, wherever in the file the first foreign character is', async () => {
  const filler = 'x'.repeat(1000);
  for (const rows of [0, 1, 400]) {
    const text = `name,city\n${`${filler},y\n`.repeat(rows)}José “A”,Cañon €\n`;
    const windows = Buffer.from(
      text.replaceAll('“', '\x93').replaceAll('”', '\x94').replaceAll('€', '\x80'),
      'latin1',
    );
    const utf16 = Buffer.from(text, 'utf16le');
    for (const [encoding, bytes] of [
      ['utf-8', Buffer.from(text)],
      ['windows-1252', windows],
      ['utf-16le', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
      ['utf-16le', utf16],
      ['utf-16be', Buffer.from(utf16).swap16()],
    ] as const) {
      const { rows: read, format } = await readAll(bytes);
      assert.equal(read.at(-1), `${rows + 2}: José “A” | Cañon €`, `${encoding}, ${rows} rows`);
      assert.equal(format?.encoding, encoding);
    }
  }
});

test('titles above the header, and the line by which Excel names the delimiter, are not the header', async () => {
  const table = 'price,date,city\n1,2,3\n';
  for (const [text, titleRows] of [
    [`Sales of 2021\n\n${table}`, 1],
    [`"Sales, all of 2021",,\nPrinted today,,\n${table}`, 2],
    [table, 0],
    [`sep=,\n${table}`, 0],
  ] as const) {
    const { columns, rows, format } = await readAll(text);
    assert.deepEqual([columns, rows.length], [['price', 'date', 'city'], 1], text);
    assert.equal(format?.titleRows, titleRows, text);
  }
});

const CSV_TEXT = Buffer.from('a,b,c\n1,x,2021-03-04\n');

test('a ZIP archive reads as the one table in it', async () => {
  const expected = { columns: ['a', 'b', 'c'], rows: ['2: 1 | x | 2021-03-04'] };
  const notes = { name: 'readme.txt', bytes: Buffer.from('hello') };
  for (const parts of [
    [{ name: 'sales.csv', bytes: CSV_TEXT }],
    [
      { name: 'folder/sales.csv', bytes: CSV_TEXT },
      { name: '__MACOSX/._sales.csv', bytes: notes.bytes },
      notes,
    ],
    [{ name: 'SALES2021', bytes: CSV_TEXT }],
    [
      {
        name: 'book.xlsx',
        bytes: workbookBytes([
          ['a', 'b', 'c'],
          [1, 'x', new Date('2021-03-04')],
        ]),
      },
      notes,
    ],
  ]) {
    const { columns, rows, format } = await readAll(zipBytes(parts));
    assert.deepEqual({ columns, rows }, expected);
    assert.equal(format?.archiveEntry, parts[0].name);
  }
});

test('a workbook reads as the text of its cells, with dates as dates', async () => {
  const { columns, rows, format } = await readAll(
    workbookBytes(
      [
        ['Sales of 2021'],
        [],
        ['price', 'sold', 'lat', 'pool', 'note & co'],
        [250_000, new Date('2021-03-04'), 43.05, true, 'A <b>'],
        [],
        [310_000, new Date('2021-04-05T12:30:00Z'), -0.1, false, null],
        [null, null, null, null, 'last'],
      ],
      { otherSheet: 'Notes' },
    ),
  );
  assert.deepEqual(columns, ['price', 'sold', 'lat', 'pool', 'note & co']);
  assert.deepEqual(rows, [
    '4: 250000 | 2021-03-04 | 43.05 | TRUE | A <b>',
    '6: 310000 | 2021-04-05T12:30:00 | -0.1 | FALSE | ',
    '7:  |  |  |  | last',
  ]);
  assert.equal(format?.sheet, 'Data');
});

const wide = Array.from({ length: 201 }, (_, i) => `c${i}`).join(',');
const rejected: readonly [string, string | Buffer, RegExp][] = [
  ['an empty file', '', /is empty/],
  ['an empty gzip', gzipSync(''), /is empty/],
  ['half a gzip', gzipSync('a,b\n'.repeat(50_000)).subarray(0, 60), /ends too early/],
  [
    'a damaged gzip',
    Buffer.concat([gzipSync('a,b\n1,2\n').subarray(0, 12), Buffer.alloc(40, 7)]),
    /cannot be read/,
  ],
  ['a binary file', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 10, 2]), /not a table/],
  ['201 columns', `${wide}\n`, /201 columns/],
  ['a column twice', 'a,b,A\n1,2,3\n', /column "a" twice/],
  ['a header of nothing', ',,\n1,2,\n', /names no column/],
  [
    'an unclosed quote',
    `a,b\n1,2\n3,"${'x\n'.repeat(60_000)}`,
    /after 2 valid records, near line \d+: .* quote is not closed/,
  ],
  ['an unclosed quote at the end', 'a,b\n1,2\n3,"x\n', /after 2 valid records, near line \d: .*never ends/],
  [
    'a field of megabytes',
    `a,b\n1,${'x'.repeat(3_000_000)}\n`,
    /after 1 valid records, near line 2: a record is longer/,
  ],
  ['a header of megabytes', 'x'.repeat(3_000_000), /after 0 valid records, near line 1/],
  [
    'two tables in an archive',
    zipBytes(['a.csv', 'b.csv'].map((name) => ({ name, bytes: CSV_TEXT }))),
    /2 files \(a\.csv, b\.csv\)/,
  ],
  ['an empty archive', zipBytes([{ name: 'folder/', bytes: Buffer.alloc(0) }]), /without files/],
  ['half an archive', zipBytes([{ name: 'a.csv', bytes: CSV_TEXT }]).subarray(0, 60), /damaged/],
  ['a zip bomb', zipBytes([{ name: 'a.csv', bytes: Buffer.alloc(80_000_000, 0x31) }]), /zip bomb/],
  ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /\.xls workbook.*\.xlsx/],
  [
    'a damaged workbook',
    zipBytes([{ name: 'xl/workbook.xml', bytes: Buffer.from('<workbook><sheet') }]),
    /damaged workbook/,
  ],
  [
    'a workbook of entities',
    zipBytes([
      {
        name: 'xl/workbook.xml',
        bytes: Buffer.from('<!DOCTYPE x [<!ENTITY a "b">]><workbook>&a;</workbook>'),
      },
    ]),
    /damaged workbook/,
  ],
  ['an empty workbook', workbookBytes([]), /"Data" is empty/],
  [
    'a workbook with a cell in the last column',
    workbookBytes([Array.from({ length: 203 }, (_, i) => `c${i}`)]),
    /more than 200 columns/,
  ],
  ['a Parquet file cut off', Buffer.from('PAR1 and no more'), /damaged or unsupported Parquet/],
  // Several ranges of these files cannot be read. The failure of the second one must not end the process.
  ['a Parquet file with damaged offsets', damagedParquet(-64, 28), /damaged or unsupported Parquet/],
  ['a Parquet file with negative offsets', damagedParquet(-66, 21), /damaged or unsupported Parquet/],
];
/** The Parquet file with one byte changed, counted from its end. */
function damagedParquet(at: number, byte: number): Buffer {
  const bytes = Buffer.from(PARQUET_FILE);
  bytes[bytes.length + at] = byte;
  return bytes;
}

for (const [what, bytes, message] of rejected) {
  test(`${what} is rejected with a message`, async () => {
    await assert.rejects(readAll(bytes), (error) => {
      assert.ok(error instanceof PlumblineError, String(error));
      assert.equal(error.code, 'usage');
      assert.match(error.message, message);
      return true;
    });
  });
}

test('a missing file and a folder are rejected by name', async () => {
  await assert.rejects(
    openTable(join(folder, 'none.csv'), () => {}),
    /There is no file .*none\.csv/,
  );
  await assert.rejects(
    openTable(folder, () => {}),
    /is not a file/,
  );
});

test('Parquet reads as the text that a CSV file would hold', async () => {
  const { format, ...table } = await readAll(PARQUET_FILE);
  assert.deepEqual(format, { kind: 'parquet' });
  assert.deepEqual(table, {
    columns: ['record_id', 'sale_date', 'sale_price', 'latitude', 'longitude', 'has_pool'],
    rows: [
      '1: a | 2021-03-04 | 250000 | 43.1 | -88.1 | true',
      '2: b | 2021-04-05 | 310000 | 43.2 | -88.2 | false',
      '3: c |  | 1 | 43.3 | -88.3 | ',
    ],
  });
});
