import { formatDay, type Day } from '../../domain/day.ts';
import { featureField } from '../../domain/own-features.ts';
import { ATTRIBUTE_TABLE } from '../../domain/property-attributes.ts';
import { ATTRIBUTES, type Attributes, type OwnFeatures } from '../../domain/property.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import type { ComparableRecordBody } from '../../schemas/challenges.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { homeOfSale, type OnParcel } from '../../valuation/columns/sale-columns.ts';
import { addedId } from '../../valuation/comparables/sales-data.ts';
import { rowWithText, textAt } from '../../valuation/typed-columns.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import type { DescribedSale, PricePath, PropertyInputs, SaleComparable } from '../valuation-types.ts';
import { parcelOfSale } from './earlier-sales.ts';
import { ownSales } from './price-path.ts';

/** What is known of a comparable beyond its response. */
export interface ComparableRecord {
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
  /** The latest sale of the home before the comparable's, of those known on the as-of date. */
  readonly priorSale: PricePath['sales'][number] | null;
  /**
   * Of a sale that the user added: names of the details that they entered or its record has. It was compared with
   * estimates of the others. Null for sales of the data.
   */
  readonly knownDetails: ReadonlySet<string> | null;
  /** Its details as a request gives them; those of its record are read again. Empty for sales of the data. */
  readonly enteredDetails: ResponseOf<typeof ComparableRecordBody>['enteredDetails'];
}

/** The same for the console API. */
export function recordMembers(
  records: ReadonlyMap<string, ComparableRecord>,
): ResponseOf<typeof ComparableRecordBody>[] {
  return [...records].map(([compId, { priorSale, knownDetails, enteredDetails }]) => ({
    compId,
    priorSale,
    knownDetails: knownDetails && [...knownDetails],
    enteredDetails,
  }));
}

type Sales = Pick<ActiveMarket, 'columns' | 'parcelSales'>;

/** By the id of the comparable. */
export function recordsOfComparables(
  market: Sales,
  inputs: Pick<PropertyInputs, 'asOf' | 'changes'>,
  comparables: readonly Pick<SaleComparable, 'compId' | 'latitude'>[],
): ReadonlyMap<string, ComparableRecord> {
  return new Map([...recordsOfSales(market, inputs.asOf, comparables), ...recordsOfAdded(market, inputs)]);
}

function priorSale(market: Sales, home: OnParcel, asOf: Day, before: Day): ComparableRecord['priorSale'] {
  const day = formatDay(before);
  return ownSales(market, home, asOf).findLast(({ saleDate }) => saleDate < day) ?? null;
}

function recordsOfSales(
  market: Sales,
  asOf: Day,
  comparables: readonly Pick<SaleComparable, 'compId' | 'latitude'>[],
): ReadonlyMap<string, ComparableRecord> {
  const { columns } = market;
  const wanted = new Set(comparables.map(({ compId }) => compId));
  // Places narrow the search, because reading the id of every row would take longer.
  const places = new Set(comparables.map(({ latitude }) => latitude));
  const found = new Map<string, ComparableRecord>();
  for (let row = 0; row < columns.n && found.size < wanted.size; row++) {
    if (!places.has(columns.lat[row])) continue;
    const id = textAt(columns.recordId, row);
    if (!wanted.has(id)) continue;
    const prior = priorSale(market, parcelOfSale(columns, row), asOf, columns.soldOn[row]);
    found.set(id, { ...homeOfSale(columns, row), priorSale: prior, knownDetails: null, enteredDetails: [] });
  }
  return found;
}

/** Sales that the user added: the details that they entered, and those of the record. */
function recordsOfAdded(
  market: Sales,
  { changes, asOf }: Pick<PropertyInputs, 'asOf' | 'changes'>,
): [string, ComparableRecord][] {
  const { columns } = market;
  return (changes?.added ?? []).map(({ subject, soldOn, replaces }, i) => {
    const { home } = subject;
    // The record of the same sale, which may be dated a few days earlier, is not a sale before it.
    const row = replaces === undefined ? null : rowWithText(columns.recordId, replaces);
    const before = row === null ? soldOn : Math.min(soldOn, columns.soldOn[row]);
    const known = ATTRIBUTES.filter((name) => typeof home.attributes[name] === 'number').map(fieldNameOf);
    return [
      addedId(i),
      {
        ...home,
        priorSale: priorSale(market, home, asOf, before),
        knownDetails: new Set([...known, ...Object.keys(home.features)]),
        enteredDetails: enteredDetails(subject),
      },
    ];
  });
}

const YES_NO = new Set<string>(ATTRIBUTE_TABLE.filter(({ cell }) => cell === 'yes_no').map(({ key }) => key));

function enteredDetails({ home, sources }: DescribedSale['subject']): ComparableRecord['enteredDetails'] {
  const entered = ATTRIBUTES.filter((name) => sources[name] === 'request').map((name) => {
    const value = home.attributes[name];
    return { field: fieldNameOf(name), value: YES_NO.has(name) ? value === 1 : value };
  });
  const features = Object.entries(home.features).map(([name, value]) => ({
    field: featureField(name),
    value,
  }));
  return [{ field: 'property_type', value: home.type }, ...entered, ...features];
}
