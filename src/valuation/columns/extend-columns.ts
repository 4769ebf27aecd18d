import { ATTRIBUTES } from '../../domain/property.ts';
import type { Attribute } from '../../domain/property.ts';
import type { FeatureColumn, SaleColumns } from './sale-columns.ts';
import { codeParcels } from './parcel-codes.ts';
import { stringColumnOf, textAt, type StringColumn } from './string-column.ts';

/**
 * The columns a model was trained on, followed by the sales of a newer snapshot that sort after its last one.
 *
 * A model keeps figures per training row, so its rows must keep their numbers. Sales imported since that the
 * market could have known before the last training sale (late corrections, back-fills) wait for the next
 * training; everything newer serves as comparables at once.
 */
export function extendColumns(trained: SaleColumns, newest: SaleColumns): SaleColumns {
  const added = rowsAfter(trained, newest);
  if (added.length === 0) return trained;
  const n = trained.n + added.length;
  const attributes = {} as Record<Attribute, Float32Array>;
  for (const attribute of ATTRIBUTES) {
    attributes[attribute] = append(
      new Float32Array(n),
      trained.attributes[attribute],
      newest.attributes[attribute],
      added,
    );
  }
  const extended = {
    n,
    kind: trained.kind,
    recordingLagDays: trained.recordingLagDays,
    recordId: appendTexts(trained.recordId, newest.recordId, added),
    parcelId: appendTexts(trained.parcelId, newest.parcelId, added),
    street: appendTexts(trained.street, newest.street, added),
    city: appendTexts(trained.city, newest.city, added),
    stateCode: appendTexts(trained.stateCode, newest.stateCode, added),
    postalCode: appendTexts(trained.postalCode, newest.postalCode, added),
    soldOn: append(new Int32Array(n), trained.soldOn, newest.soldOn, added),
    availableOn: append(new Int32Array(n), trained.availableOn, newest.availableOn, added),
    priceUsd: append(new Float64Array(n), trained.priceUsd, newest.priceUsd, added),
    lat: append(new Float64Array(n), trained.lat, newest.lat, added),
    lon: append(new Float64Array(n), trained.lon, newest.lon, added),
    type: append(new Uint8Array(n), trained.type, newest.type, added),
    attributes,
    features: trained.features.map((feature) => appendFeature(feature, newest, added)),
    armsLength: append(new Uint8Array(n), trained.armsLength, newest.armsLength, added),
    lastSeenOn:
      trained.lastSeenOn && newest.lastSeenOn
        ? append(new Int32Array(n), trained.lastSeenOn, newest.lastSeenOn, added)
        : null,
    flag: append(new Uint8Array(n), trained.flag, newest.flag, added),
    flaggedOn: append(new Int32Array(n), trained.flaggedOn, newest.flaggedOn, added),
  };
  return { ...extended, parcel: codeParcels(extended, trained.parcel) };
}

/** Rows of `newest` that sort after the last row of `trained`: a suffix, since both are sorted alike. */
function rowsAfter(trained: SaleColumns, newest: SaleColumns): number[] {
  if (trained.n === 0) return Array.from({ length: newest.n }, (_, row) => row);
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

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function append<Column extends Int32Array | Float64Array | Float32Array | Uint8Array>(
  into: Column,
  base: Column,
  newer: Column,
  rows: readonly number[],
): Column {
  into.set(base);
  for (let i = 0; i < rows.length; i++) into[base.length + i] = newer[rows[i]];
  return into;
}

function appendTexts(base: StringColumn, newer: StringColumn, rows: readonly number[]): StringColumn {
  const tail = stringColumnOf(rows.map((row) => textAt(newer, row)));
  const head = base.offsets.length - 1;
  const offsets = new Uint32Array(head + tail.offsets.length);
  offsets.set(base.offsets);
  for (let i = 0; i < tail.offsets.length; i++) offsets[head + i] = base.offsets[head] + tail.offsets[i];
  const bytes = new Uint8Array(base.offsets[head] + tail.bytes.length);
  bytes.set(base.bytes.subarray(0, base.offsets[head]));
  bytes.set(tail.bytes, base.offsets[head]);
  return { offsets, bytes };
}

/** Levels are told by their text, since each import numbers them anew. */
function appendFeature(feature: FeatureColumn, newest: SaleColumns, rows: readonly number[]): FeatureColumn {
  const codes = new Int32Array(feature.codes.length + rows.length).fill(-1);
  codes.set(feature.codes);
  const levels = [...feature.levels];
  const codeOf = new Map(levels.map((level, code) => [level, code]));
  const source = newest.features.find((candidate) => candidate.name === feature.name);
  if (!source) return { name: feature.name, levels, codes };
  for (let i = 0; i < rows.length; i++) {
    const level = source.levels[source.codes[rows[i]]];
    if (level === undefined) continue;
    let code = codeOf.get(level);
    if (code === undefined) {
      code = levels.push(level) - 1;
      codeOf.set(level, code);
    }
    codes[feature.codes.length + i] = code;
  }
  return { name: feature.name, levels, codes };
}
