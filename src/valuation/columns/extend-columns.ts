import {
  appendTexts,
  compareText,
  joinColumns,
  selectRows,
  textAt,
  type ColumnSchema,
  type ColumnsOf,
} from '../typed-columns.ts';
import { codeParcels } from './parcel-codes.ts';
import {
  ATTRIBUTE_COLUMNS,
  mapTexts,
  SALE_COLUMNS,
  type FeatureColumn,
  type SaleColumns,
} from './sale-columns.ts';

/**
 * The columns a model was trained on, followed by the sales of a newer snapshot that sort after its
 * last one.
 *
 * A model keeps numbers for each training row, so its rows must keep their positions. Sales
 * imported since then that were available before the last training sale (late corrections,
 * back-fills) wait for the next training; everything newer serves as comparables at once.
 */
export function extendColumns(trained: SaleColumns, newest: SaleColumns): SaleColumns {
  const added = rowsAfter(trained, newest);
  if (added.length === 0) return trained;
  const extend = <Schema extends ColumnSchema>(
    schema: Schema,
    head: ColumnsOf<Schema>,
    tail: ColumnsOf<Schema>,
  ) => joinColumns(schema, [head, selectRows(schema, tail, added)]);
  const [seen, seenNow] = [trained.lastSeenOn, newest.lastSeenOn];
  const extended = {
    ...extend(SALE_COLUMNS, trained, newest),
    ...mapTexts((name) => appendTexts(trained[name], newest[name], added)),
    n: trained.n + added.length,
    kind: trained.kind,
    recordingLagDays: trained.recordingLagDays,
    attributes: extend(ATTRIBUTE_COLUMNS, trained.attributes, newest.attributes),
    features: trained.features.map((feature) => appendFeature(feature, newest, added)),
    lastSeenOn: seen && seenNow ? extend({ day: 'int32' }, { day: seen }, { day: seenNow }).day : null,
  };
  return { ...extended, parcel: codeParcels(extended, trained.parcel) };
}

/** Rows of `newest` that sort after the last row of `trained`: always its last rows. */
function rowsAfter(trained: SaleColumns, newest: SaleColumns): number[] {
  if (trained.n === 0) return [...newest.soldOn.keys()];
  const last = trained.n - 1;
  const lastId = textAt(trained.recordId, last);
  const rows: number[] = [];
  for (let row = newest.n - 1; row >= 0; row--) {
    const order =
      newest.availableOn[row] - trained.availableOn[last] ||
      newest.soldOn[row] - trained.soldOn[last] ||
      compareText(textAt(newest.recordId, row), lastId);
    if (order <= 0) break;
    rows.push(row);
  }
  return rows.reverse();
}

/** Levels are matched by their text, since each import numbers them from 0. */
function appendFeature(feature: FeatureColumn, newest: SaleColumns, rows: readonly number[]): FeatureColumn {
  const codes = new Int32Array(feature.codes.length + rows.length).fill(-1);
  codes.set(feature.codes);
  const levels = [...feature.levels];
  const codeOf = new Map(levels.map((level, code) => [level, code]));
  const source = newest.features.find((candidate) => candidate.name === feature.name);
  if (!source) return { name: feature.name, levels, codes };
  rows.forEach((row, i) => {
    const level = source.levels[source.codes[row]];
    if (level === undefined) return;
    const code = codeOf.get(level) ?? levels.push(level) - 1;
    codeOf.set(level, code);
    codes[feature.codes.length + i] = code;
  });
  return { name: feature.name, levels, codes };
}
