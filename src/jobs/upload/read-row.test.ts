import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseDay } from '../../domain/day.ts';
import { VALUATION_KINDS, type ValuationKind } from '../../domain/valuation-kind.ts';
import { FILE_READERS } from '../../api/endpoints/batch-request.ts';
import { ValidationError } from '../../api/request/validation-error.ts';
import { guessColumns, asOf, type Mapping } from './guess-columns.ts';
import { createProblemGroups, previewOf } from './check-rows.ts';
import { ASSESSED, BALANCE, featureMembers, MEMBERS, type MemberType } from './members.ts';
import { readCell } from './read-cell.ts';
import { assessedReader, createRowReader, type ReadingPlan, type RowProblem } from './read-row.ts';

const TODAY = '2026-06-30';
const reading = { today: parseDay(TODAY) ?? 0, isStrict: true };

async function rejectedByApi(kind: ValuationKind, item: object): Promise<string[]> {
  try {
    await FILE_READERS[kind]({ properties: [item] }, reading);
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}`);
  }
}

/** Cells that are right, nearly right and wrong for any member. */
const anyCell = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '2',
    '2.5',
    '-1',
    '3.0',
    '1,850',
    '$ 900',
    '2,5',
    '51',
    '1799',
    '2024',
    '181',
    '-88',
    '43.05',
    'yes',
    'N',
    'x',
    'houses',
    'Single Family',
    'multifamily',
    'n/a',
    'abc',
    '2026-06-30',
    '7/1/2026',
    '6/30/2026',
    '1e3',
    '0x10',
    'Infinity',
    '9007199254740993',
    '\u0000',
    ' 4 ',
  ),
  fc.double({ noNaN: true }).map(String),
  fc.string({ maxLength: 8 }),
);

function rightCell(type: MemberType): string {
  if (type.kind === 'choice') return type.choices[0];
  if (type.kind === 'day') return TODAY;
  return 'minimum' in type ? String(type.minimum) : '1';
}

test('a row that passes the check is accepted by the API, whatever its cells contain', async () => {
  const row = fc
    .constantFrom(...VALUATION_KINDS)
    .chain((kind) =>
      fc.tuple(
        fc.constant(kind),
        fc.array(anyCell, { minLength: MEMBERS[kind].length, maxLength: MEMBERS[kind].length }),
        fc.nat(60),
      ),
    );
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(row, async ([kind, cells, wild]) => {
      const columns = MEMBERS[kind].map(({ path }) => path);
      // A row of 20 wild cells is hardly ever without a problem: most of those that are wrong are made right.
      const mapping = Object.fromEntries(
        MEMBERS[kind].map(({ path, type, isRequired }, at) => {
          const { value, problem } = readCell(type, cells[at]);
          const isKept = at === wild || (problem === null && (value !== null || !isRequired));
          return [path, isKept ? { column: at } : { text: rightCell(type) }];
        }),
      );
      const { item, problems } = createRowReader({ kind, columns, mapping, today: TODAY })({ row: 2, cells });
      assert.equal(item === null, problems.length > 0);
      if (item === null) return;
      passed++;
      assert.deepEqual(await rejectedByApi(kind, item), []);
    }),
    { numRuns: 500 },
  );
  assert.ok(passed > 100, `${passed} rows passed`);
});

test('a cell that fails the check is rejected by the API too', async () => {
  const right: Readonly<Record<ValuationKind, object>> = {
    property: {
      location: { address: '1 Main St' },
      property_fields: { total_bedrooms: 3, total_bathrooms: 2 },
    },
    rental: {
      location: { address: '1 Main St' },
      property_fields: { units: [{ bedrooms: 1, bathrooms: 1 }] },
    },
    multifamily: {
      location: { address: '1 Main St' },
      property_fields: { bedrooms: 9, bathrooms: 6, total_units: 6 },
    },
  };
  for (const kind of VALUATION_KINDS) {
    assert.deepEqual(await rejectedByApi(kind, right[kind]), []);
    for (const { path, type } of MEMBERS[kind]) {
      if (
        (type.kind !== 'integer' && type.kind !== 'number') ||
        path.startsWith('location.') ||
        path === ASSESSED ||
        path === BALANCE
      )
        continue;
      for (const value of [
        type.minimum - 1,
        type.maximum + 1,
        type.minimum,
        type.maximum,
        type.minimum + 0.5,
      ]) {
        const [section, name] = path.split('.');
        const item = structuredClone<Record<string, any>>({ search_params: {}, ...right[kind] }); // oxlint-disable-line typescript/no-explicit-any -- bodies as a client writes them
        if (section === 'units') item.property_fields.units[0][name] = value;
        else item[section][name] = value;
        const isRejected = (await rejectedByApi(kind, item)).length > 0;
        if (!Number.isSafeInteger(value) && Number.isInteger(value)) continue;
        assert.equal(readCell(type, String(value)).problem !== null, isRejected, `${kind} ${path} ${value}`);
      }
    }
  }
});

test('cells are read as spreadsheets write them', () => {
  const integer = { kind: 'integer', minimum: 0, maximum: 10_000 } as const;
  const number = { kind: 'number', minimum: -200, maximum: 200 } as const;
  for (const [type, text, value] of [
    [integer, '1,850', 1850],
    [integer, '1 850 sq ft', 1850],
    [integer, '$1,850', 1850],
    [integer, '3.0', 3],
    [number, '2,5', 2.5],
    [number, '($120.50)', -120.5],
    [number, '-87.9', -87.9],
    [number, '-0', 0],
    [{ kind: 'boolean' }, 'Yes', true],
    [{ kind: 'boolean' }, '0', false],
    [{ kind: 'day' }, '6/3/2026', '2026-06-03'],
    [{ kind: 'day' }, '2026-06-03T00:00:00Z', '2026-06-03'],
    [{ kind: 'choice', choices: ['houses', 'condos'] }, 'Single-Family Residence', 'houses'],
    [{ kind: 'choice', choices: ['small_multifamily'] }, 'Small multifamily', 'small_multifamily'],
    [{ kind: 'text', lengthMax: 20 }, ' 1 Main St\n rear ', '1 Main St rear'],
    [{ kind: 'text', lengthMax: 20 }, "'00410000", '00410000'],
    [{ kind: 'text', lengthMax: 20 }, "'s-Gravenhage", "'s-Gravenhage"],
    [integer, 'N/A', null],
  ] as const) {
    assert.deepEqual(readCell(type, text), { value, problem: null }, text);
  }
  for (const [type, text, problem] of [
    [integer, 'abc', '“abc” is not a number'],
    [integer, '1,85,0', '“1,85,0” is not a number'],
    [integer, '2.5', '“2.5” must be a whole number'],
    [integer, '10001', '“10001” must be at most 10000'],
    [{ kind: 'day' }, '2/30/2026', '“2/30/2026” is not a date: write it as 2026-06-30 or 6/30/2026'],
    [{ kind: 'choice', choices: ['houses'] }, 'condo', '“condo” must be one of houses'],
  ] as const) {
    assert.deepEqual(readCell(type, text), { value: null, problem }, text);
  }
});

const guess = (kind: ValuationKind, columns: readonly string[]) => guessColumns(MEMBERS[kind], columns);

test('an address is joined from its columns without repeating a part or adding text that is no ZIP code', async () => {
  const table = {
    columns: ['address', 'unit', 'city', 'state', 'zip', 'beds', 'baths'],
    rows: [
      ['1 Milwaukee Ave', '4', 'Milwaukee', 'WI', '53202'],
      ['1 Main St Apt 4, Milwaukee, WI 53202', '4', 'Milwaukee', 'WI', '53202'],
      ['2 Elm St', 'Apt 2', 'Boston', 'MA', '2108'],
      ['3 Oak St', '', '', '', ''],
      ['4 Oak St', '', 'Boston', 'MA', '2108-1234'],
      ['5 Oak St', '', 'Milwaukee', 'WI', '532021234'],
      ['6 Oak St', '', 'Milwaukee', '', 'WI 53202'],
      ['7 Oak St', '', 'Milwaukee', 'WI', 'see deed'],
      ['8 Oak St', '', 'Milwaukee', 'WI', '0'],
      ['9 Oak St', '', 'Milwaukee', 'WI', '00000'],
    ].map((cells, at) => ({ row: at + 2, cells: [...cells, '3', '2'] })),
  };
  const read = createRowReader({
    ...table,
    kind: 'property',
    mapping: guess('property', table.columns),
    today: TODAY,
  });
  assert.deepEqual(
    table.rows.map((row) => JSON.parse(JSON.stringify(read(row).item)).location.address),
    [
      '1 Milwaukee Ave # 4, Milwaukee, WI 53202',
      '1 Main St Apt 4, Milwaukee, WI 53202',
      '2 Elm St Apt 2, Boston, MA 02108',
      '3 Oak St',
      '4 Oak St, Boston, MA 02108-1234',
      '5 Oak St, Milwaukee, WI 53202-1234',
      '6 Oak St, Milwaukee, WI 53202',
      '7 Oak St, Milwaukee, WI',
      '8 Oak St, Milwaukee, WI',
      '9 Oak St, Milwaukee, WI',
    ],
  );
});

test('problems name row, column and cell; the same problem is reported once', async () => {
  const table = {
    columns: ['address', 'beds', 'baths', 'as of'],
    rows: [
      ['1 Main St', 'abc', '2', ''],
      ['', '3', '2', '7/1/2026'],
      ['3 Main St', 'x', '2', ''],
      ['4 Main St', '3', '2', ''],
    ].map((cells, at) => ({ row: at + 2, cells })),
  };
  const read = createRowReader({
    ...table,
    kind: 'property',
    mapping: guess('property', table.columns),
    today: TODAY,
  });
  const results = table.rows.map((row) => read(row));
  assert.deepEqual(
    results.map(({ item }) => item),
    [
      null,
      null,
      null,
      {
        property_id: 'row 5',
        location: { address: '4 Main St' },
        property_fields: { total_bedrooms: 3, total_bathrooms: 2 },
      },
    ],
  );
  const groups = createProblemGroups();
  groups.add(results.flatMap(({ problems }): readonly RowProblem[] => problems));
  assert.deepEqual(groups.list(), [
    { column: 'beds', label: 'Bedrooms', count: 2, rows: [2, 4], example: '“abc” is not a number' },
    { column: 'as of', label: 'As-of date', count: 1, rows: [3], example: '“2026-07-01” is in the future' },
    {
      column: null,
      label: 'Location',
      count: 1,
      rows: [3],
      example: 'has neither an address nor latitude and longitude',
    },
  ]);
});

test('a file that is valued again is valued as of today or one date, whatever dates it has', () => {
  const columns = ['address', 'beds', 'baths', 'as of'];
  const row = { row: 2, cells: ['1 Main St', '3', '2', '2025-12-31'] };
  const dateBy = (mapping: Mapping) => {
    const { item } = createRowReader({ kind: 'property', columns, mapping, today: TODAY })(row);
    return JSON.parse(JSON.stringify(item)).search_params?.date ?? null;
  };
  const mapping = guess('property', columns);
  const inEveryRow = { ...mapping, 'search_params.date': { text: '2025-12-31' } };
  assert.deepEqual([mapping, inEveryRow].map(dateBy), ['2025-12-31', '2025-12-31']);
  for (const date of [null, '2024-06-30']) {
    const again = [mapping, inEveryRow].map((each) => dateBy(asOf(each, date)));
    assert.deepEqual(again, [date, date]);
  }
});

test('the preview has the same problems as the check', () => {
  const columns = ['address', 'beds', 'baths', 'as of'];
  const plan = {
    kind: 'property',
    columns,
    mapping: guessColumns(MEMBERS.property, columns),
    today: TODAY,
  } as const;
  const row = { row: 2, cells: ['1 Main St', 'abc', '99', '2026-07-01'] };
  const cells = previewOf([row], plan).rows.flatMap((shown) => shown.cells);
  const { problems } = createRowReader(plan)(row);
  assert.equal(problems.length, 3);
  assert.deepEqual(
    cells.flatMap(({ problem }) => problem ?? []),
    problems.map(({ message }) => message),
  );
});

test('the preview shows an accepted address as it is sent, and other addresses as they are in the file', () => {
  const columns = ['street', 'city', 'state', 'beds', 'baths'];
  const mapping = guessColumns(MEMBERS.property, columns);
  const corrections = { '1 Mian St, Plumb Falls, XX': '1 Main St, Plumb Falls, XX 00041' };
  const plan: ReadingPlan = { kind: 'property', columns, mapping, today: TODAY, corrections };
  const rowOf = (street: string) => ({ row: 2, cells: [street, 'Plumb Falls', 'XX', '3', '1'] });
  const shown = previewOf([rowOf('1 Mian St'), rowOf('7 Main St')], plan).rows;
  assert.deepEqual(
    shown.map(({ cells }) => cells.map(({ text }) => text).filter((text) => text?.includes('St'))),
    [['1 Main St, Plumb Falls, XX 00041'], ['7 Main St']],
  );
});

test('a column named like a feature of a market fills it, unless it is a member of the API', async () => {
  const columns = ['address', 'Bedrooms', 'baths', 'Condition', 'View', 'lot.depth'];
  const features = featureMembers(['condition', 'view', 'Lot.Depth', 'grade']);
  for (const kind of VALUATION_KINDS) {
    const mapping = guessColumns([...MEMBERS[kind], ...features], columns);
    const units = { 'property_fields.total_units': { text: '3' } };
    const read = createRowReader({ kind, columns, mapping: { ...mapping, ...units }, today: TODAY });
    const { item } = read({ row: 2, cells: ['1 Main St', '3', '2', '4', ' LAKE ', 'n/a'] });
    assert.ok(item);
    const { features: sent } = Object(item).property_fields;
    assert.deepEqual(sent, { view: 'LAKE' });
    assert.deepEqual(await rejectedByApi(kind, item), []);
    const { item: deep } = read({ row: 3, cells: ['1 Main St', '3', '2', '', '', '80.5'] });
    assert.deepEqual(Object(deep).property_fields.features, { 'Lot.Depth': '80.5' });
  }
});

test('an unreadable balance is reported, and the home is valued all the same', () => {
  const mapping = { 'location.address': { column: 0 }, [BALANCE]: { column: 1 } };
  const plan: ReadingPlan = { kind: 'property', columns: ['address', 'balance'], mapping, today: TODAY };
  const row = { row: 2, cells: ['1 Main St', 'paid off'] };
  const { item, problems, figureProblems } = createRowReader(plan)(row);
  assert.notEqual(item, null);
  assert.deepEqual(problems, []);
  const messages = figureProblems.map(({ message }) => message);
  assert.deepEqual(messages, ['“paid off” is not a number']);
});

test('an assessed value is compared and never sent, and an unreadable one is reported', () => {
  const plan: ReadingPlan = {
    kind: 'property',
    columns: ['address', 'assessed'],
    mapping: { 'location.address': { column: 0 }, [ASSESSED]: { column: 1 } },
    today: TODAY,
  };
  const assessed = assessedReader(plan);
  for (const [text, usd] of [
    ['$168,475', 168_475],
    ['exempt', null],
    ['0', null],
    ['', null],
  ] as const) {
    const row = { row: 2, cells: ['1 Main St', text] };
    const { item, problems, figureProblems } = createRowReader(plan)(row);
    const wanted = { property_id: 'row 2', location: { address: '1 Main St' }, property_fields: {} };
    assert.deepEqual([item, problems], [wanted, []]);
    assert.equal(figureProblems.length, text === 'exempt' ? 1 : 0);
    assert.equal(assessed?.(row), usd);
  }
  assert.equal(assessedReader({ ...plan, mapping: { 'location.address': { column: 0 } } }), null);
});

test('a total at the end of a file is no property and no problem', () => {
  const plan: ReadingPlan = {
    kind: 'property',
    columns: ['loan', 'address', 'balance'],
    mapping: { property_id: { column: 0 }, 'location.address': { column: 1 }, [BALANCE]: { column: 2 } },
    today: TODAY,
  };
  const read = createRowReader(plan);
  const isTotal = (...cells: string[]): boolean => {
    const found = read({ row: 9, cells });
    assert.equal(found.isTotal && (found.item !== null || found.problems.length > 0), false);
    return found.isTotal;
  };
  assert.deepEqual(
    [
      isTotal('Total', '', '100'),
      isTotal('', 'Grand Total:', '=SUM(C2:C8)'),
      isTotal('Subtotal (8 loans)', '', ''),
      // A home with its address, a loan without one, and a street of this name.
      isTotal('Total', '1 Main St', '100'),
      isTotal('00410', '', '100'),
      isTotal('7', 'Total Way 4', '100'),
    ],
    [true, true, true, false, false, false],
  );
});
