import { nextTurn } from '../../threads/event-loop-turns.ts';
import type { Batches } from '../batches.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { OperationDeps } from '../../operations/deps.ts';
import { MAX_ITEMS } from '../../schemas/batch.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { Store } from '../../store/store.ts';
import type { SheetRow } from '../../tables/read-sheet.ts';
import type { Day } from '../../domain/day.ts';
import {
  ADDRESS,
  addressReader,
  createRowReader,
  mappedMembers,
  postalCode,
  readMember,
  type ReadingPlan,
  type RowProblem,
} from './read-row.ts';
import { countRow, noRows, ROWS_LISTED, type CountedRows } from './counted-rows.ts';
import { ASSESSED, BALANCE, POSTAL_CODE } from './members.ts';
import type { CellValue } from './read-cell.ts';
import type { CheckedBody } from '../../schemas/uploads.ts';
import { createRepeatedRows, createRepeatFinder, type SentRow } from './repeated-rows.ts';
import { tryRows, type TriedRow } from './try-rows.ts';
import { rowChunks } from './uploaded-file.ts';
import type { JobItem } from '../batch-types.ts';

/** Different problems listed separately. A file with more has one mistake in many forms. */
const MAX_GROUPS = 500;
/** Rows are read for this long before other requests have a turn. Usual rows take 0.05 ms each, long cells more. */
const TURN_MS = 2;

type CheckedRows = Omit<ResponseOf<typeof CheckedBody>, 'preview'>;
type ProblemGroup = CheckedRows['problems'][number];

/** The good rows of a chunk, and what is wrong with the others. */
interface ReadChunk {
  /** Positions in the file. */
  readonly positions: readonly number[];
  readonly sent: readonly SentRow[];
  readonly items: readonly object[];
  readonly problems: readonly RowProblem[];
  readonly figureProblems: readonly RowProblem[];
  readonly badRows: number;
  /** Row numbers of totals, which are not properties. */
  readonly totals: readonly number[];
}

/** Reads all rows of a file, a chunk at a time. */
async function* readAllRows(store: Store, uploadId: string, plan: ReadingPlan): AsyncGenerator<ReadChunk> {
  const read = createRowReader(plan);
  let turnEnds = 0;
  for await (const { from, rows } of rowChunks(store, uploadId)) {
    const positions: number[] = [];
    const sent: SentRow[] = [];
    const items: object[] = [];
    const problems: RowProblem[] = [];
    const figureProblems: RowProblem[] = [];
    const totals: number[] = [];
    let badRows = 0;
    for (const [at, row] of rows.entries()) {
      if (performance.now() >= turnEnds) {
        await nextTurn();
        turnEnds = performance.now() + TURN_MS;
      }
      const { item, problems: found, balanceUsd, figureProblems: ofRow, isTotal } = read(row);
      problems.push(...found);
      if (isTotal) totals.push(row.row);
      else if (item === null) badRows++;
      else {
        positions.push(from + at);
        sent.push({ row: row.row, balanceUsd });
        items.push(item);
        figureProblems.push(...ofRow);
      }
    }
    yield { positions, sent, items, problems, figureProblems, badRows, totals };
  }
}

/** Reads batch items by the rules of the API. If `isStrict`, unknown members are errors. */
export type ReadItems = <Kind extends ValuationKind>(
  kind: Kind,
  items: readonly object[],
  reading: ItemReading,
) => Promise<readonly JobItem<Kind>[]>;

interface ItemReading {
  readonly today: Day;
  readonly isStrict: boolean;
}

interface CheckSettings {
  readonly reading: ItemReading;
  /** Whether the client no longer waits for the result. */
  readonly isGone: () => boolean;
  /** At most so many rows are looked up; 0 for none. */
  readonly rowsTried: number;
}

interface CheckDeps {
  readonly store: Store;
  readonly batches: Pick<Batches, 'creditsMax'>;
  readonly operations: OperationDeps;
  readonly readItems: ReadItems;
}

/** Checks every row by the rules of the API, adds up what the good rows can cost, and looks up some of them. */
export async function checkRows(
  { store, batches, operations, readItems }: CheckDeps,
  { uploadId, rowCount }: { readonly uploadId: string; readonly rowCount: number },
  plan: ReadingPlan,
  { reading, isGone, rowsTried }: CheckSettings,
): Promise<CheckedRows> {
  const { kind } = plan;
  const tried: TriedRow<ValuationKind>[] = [];
  const isTried = (position: number): boolean => isSampled(position, rowCount, rowsTried);
  const groups = createProblemGroups();
  const figures = createProblemGroups();
  const repeated = createRepeatedRows();
  const totals: number[] = [];
  let goodRows = 0;
  let badRows = 0;
  let creditsMax = 0;
  let repeatCount = 0;
  let repeatCreditsMax = 0;
  for await (const chunk of readAllRows(store, uploadId, plan)) {
    if (isGone()) break;
    groups.add(chunk.problems);
    figures.add(chunk.figureProblems);
    totals.push(...chunk.totals);
    badRows += chunk.badRows;
    goodRows += chunk.items.length;
    if (chunk.items.length === 0) continue;
    const items = await readItems(kind, chunk.items, reading);
    creditsMax += batches.creditsMax(kind, items);
    const repeats = items.filter((_, at) => repeated.add(chunk.items[at], chunk.sent[at]));
    repeatCount += repeats.length;
    repeatCreditsMax += batches.creditsMax(kind, repeats);
    for (const [at, item] of items.entries()) {
      if (isTried(chunk.positions[at])) tried.push({ row: chunk.sent[at].row, item });
    }
  }
  return {
    goodRows,
    badRows,
    problems: groups.list(),
    figureProblems: figures.list(),
    totalRows: totals.slice(0, ROWS_LISTED),
    repeatedRows: repeated.list(),
    withoutRepeats:
      repeatCount === 0
        ? null
        : {
            goodRows: goodRows - repeatCount,
            jobs: Math.ceil((goodRows - repeatCount) / MAX_ITEMS),
            creditsMax: creditsMax - repeatCreditsMax,
            secondLoans: repeated.countSecondLoans(),
          },
    jobs: Math.ceil(goodRows / MAX_ITEMS),
    creditsMax,
    triedRows: tried.length,
    failedTries: await tryRows(operations, kind, tried, isGone),
  };
}

/** Whether a position is in a sample of at most `most` of `count` positions, spread evenly; all if they are not more. */
export function isSampled(position: number, count: number, most: number): boolean {
  if (count <= most) return true;
  return Math.floor(((position + 1) * most) / count) > Math.floor((position * most) / count);
}

/** Groups the problems of rows. The quoted value at the start of a message differs from row to row. */
export function createProblemGroups() {
  const groups = new Map<string, ProblemGroup & CountedRows>();
  return {
    add(problems: readonly RowProblem[]): void {
      for (const { row, column, label, message } of problems) {
        const key = [column, label, message.replace(/^“.*”/, '')].join('\n');
        const group = groups.get(key) ?? { column, label, example: message, ...noRows() };
        if (!groups.has(key) && groups.size >= MAX_GROUPS) continue;
        groups.set(key, group);
        countRow(group, row);
      }
    },
    list(): ProblemGroup[] {
      return [...groups.values()].sort((a, b) => b.count - a.count);
    },
  };
}

/** Splits the positions of the good rows, or of the first of each home, into parts of one batch each. */
export async function planParts(
  store: Store,
  uploadId: string,
  plan: ReadingPlan,
  { leavesOutRepeats }: { readonly leavesOutRepeats: boolean },
): Promise<{ readonly parts: readonly (readonly number[])[]; readonly badRows: number }> {
  const positions: number[] = [];
  const findFirst = createRepeatFinder();
  let badRows = 0;
  for await (const chunk of readAllRows(store, uploadId, plan)) {
    for (const [at, position] of chunk.positions.entries()) {
      const isRepeat = leavesOutRepeats && findFirst(chunk.items[at], chunk.sent[at]) !== null;
      if (!isRepeat) positions.push(position);
    }
    badRows += chunk.badRows;
  }
  const parts: number[][] = [];
  for (let at = 0; at < positions.length; at += MAX_ITEMS) parts.push(positions.slice(at, at + MAX_ITEMS));
  return { parts, badRows };
}

/** The items of rows that were good when the file was submitted. */
export function itemsOf(rows: readonly SheetRow[], plan: ReadingPlan): object[] {
  const read = createRowReader(plan);
  return rows.flatMap((row) => read(row).item ?? []);
}

/** The first rows as they will be submitted: the value that was read from each cell, or its problem. */
export function previewOf(
  rows: readonly SheetRow[],
  plan: ReadingPlan,
): ResponseOf<typeof CheckedBody>['preview'] {
  const members = mappedMembers(plan);
  const corrected = new Set(Object.values(plan.corrections ?? {}));
  const addressOf = addressReader(plan);
  return {
    labels: members.map(({ member }) => member.label),
    rows: rows.map((row) => ({
      row: row.row,
      cells: members.map((mapped) => {
        const { value, problem } = readMember(mapped, row, plan.today);
        if (value === null) return { text: null, problem };
        const { path } = mapped.member;
        const sent = path === ADDRESS ? addressOf(row) : null;
        if (sent !== null && corrected.has(sent)) return { text: sent, problem: null };
        const text = path === POSTAL_CODE ? postalCode(String(value)) : textOf(path, value);
        return { text: text || null, problem: null };
      }),
    })),
  };
}

function textOf(path: string, value: CellValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return path === BALANCE || path === ASSESSED
    ? value.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
    : String(value);
}
