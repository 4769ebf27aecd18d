import { nextTurn } from '../../event-loop-turns.ts';
import type { Batches } from '../../../jobs/batches.ts';
import type { Store } from '../../../store/store.ts';
import type { SheetRow } from '../../../tables/read-sheet.ts';
import type { Reading } from '../../request/read-request.ts';
import { ITEMS_MAX } from '../../../schemas/batch.ts';
import { readItems } from './item-readers.ts';
import { createRowReader, type ReadingPlan, type RowProblem } from './read-row.ts';
import { rowChunks } from './uploaded-file.ts';

/** Row numbers that are listed for a problem. */
const ROWS_LISTED = 9;
/** Different problems that are listed separately. A file with more has one mistake in many forms. */
const GROUPS_MAX = 500;
/** Rows are read for so long before other requests have a turn. Usual rows take 0.05 ms each, long cells more. */
const TURN_MS = 2;

/** The same problem in many rows, reported once. */
export interface ProblemGroup {
  readonly column: string | null;
  readonly label: string;
  /** Message of the first row. */
  readonly example: string;
  readonly count: number;
  /** The first few row numbers. */
  readonly rows: readonly number[];
}

export interface CheckedRows {
  readonly goodRows: number;
  readonly badRows: number;
  /** Most frequent first. */
  readonly problems: readonly ProblemGroup[];
  /** Batches that the good rows make. */
  readonly jobs: number;
  /** The most that the good rows can cost. */
  readonly creditsMax: number;
}

/** The good rows of a file, a chunk at a time. */
export interface GoodRows {
  /** Positions in the file. */
  readonly positions: readonly number[];
  readonly items: readonly object[];
  readonly problems: readonly RowProblem[];
  readonly badRows: number;
}

/** Reads all rows of a file. */
export async function* readAllRows(
  store: Store,
  uploadId: string,
  plan: ReadingPlan,
): AsyncGenerator<GoodRows> {
  const read = createRowReader(plan);
  let turnEnds = 0;
  for await (const { from, rows } of rowChunks(store, uploadId)) {
    const positions: number[] = [];
    const items: object[] = [];
    const problems: RowProblem[] = [];
    let badRows = 0;
    for (const [at, row] of rows.entries()) {
      if (performance.now() >= turnEnds) {
        await nextTurn();
        turnEnds = performance.now() + TURN_MS;
      }
      const { item, problems: found } = read(row);
      problems.push(...found);
      if (item === null) badRows++;
      else {
        positions.push(from + at);
        items.push(item);
      }
    }
    yield { positions, items, problems, badRows };
  }
}

/** Checks every row by the rules of the API, and adds up what the good ones can cost. */
export async function checkRows(
  { store, batches }: { readonly store: Store; readonly batches: Pick<Batches, 'creditsMax'> },
  uploadId: string,
  plan: ReadingPlan,
  /** `isGone`: the client no longer waits for the result. */
  { reading, isGone }: { readonly reading: Reading; readonly isGone: () => boolean },
): Promise<CheckedRows> {
  const groups = createProblemGroups();
  let goodRows = 0;
  let badRows = 0;
  let creditsMax = 0;
  for await (const chunk of readAllRows(store, uploadId, plan)) {
    if (isGone()) break;
    groups.add(chunk.problems);
    badRows += chunk.badRows;
    goodRows += chunk.items.length;
    if (chunk.items.length === 0) continue;
    creditsMax += batches.creditsMax(plan.kind, await readItems(plan.kind, chunk.items, reading));
  }
  return { goodRows, badRows, problems: groups.list(), jobs: Math.ceil(goodRows / ITEMS_MAX), creditsMax };
}

/** Collects problems of rows. The value differs from row to row; the kind of problem does not. */
export function createProblemGroups() {
  const groups = new Map<string, { group: ProblemGroup; rows: number[]; count: number }>();
  return {
    add(problems: readonly RowProblem[]): void {
      for (const { row, column, label, message } of problems) {
        const key = [column, label, message.replace(/^“.*”/, '')].join('\n');
        const known = groups.get(key);
        if (known) {
          known.count++;
          if (known.rows.length < ROWS_LISTED) known.rows.push(row);
        } else if (groups.size < GROUPS_MAX) {
          const group = { column, label, example: message, count: 1, rows: [] };
          groups.set(key, { group, rows: [row], count: 1 });
        }
      }
    },
    list(): ProblemGroup[] {
      return [...groups.values()]
        .map(({ group, rows, count }) => ({ ...group, rows, count }))
        .sort((a, b) => b.count - a.count);
    },
  };
}

/** Positions of the good rows, as many to a part as a batch may have. */
export async function planParts(
  store: Store,
  uploadId: string,
  plan: ReadingPlan,
): Promise<{ readonly parts: readonly (readonly number[])[]; readonly badRows: number }> {
  const positions: number[] = [];
  let badRows = 0;
  for await (const chunk of readAllRows(store, uploadId, plan)) {
    positions.push(...chunk.positions);
    badRows += chunk.badRows;
  }
  const parts: number[][] = [];
  for (let at = 0; at < positions.length; at += ITEMS_MAX) parts.push(positions.slice(at, at + ITEMS_MAX));
  return { parts, badRows };
}

/** The items of rows that were good when the file was submitted. */
export function itemsOf(rows: readonly SheetRow[], plan: ReadingPlan): object[] {
  const read = createRowReader(plan);
  return rows.flatMap((row) => read(row).item ?? []);
}
