import type { CensusData, CensusEntry, CensusFigure, CensusVariables } from '../../api/places.ts';
import { formatCount, formatPct, formatUsd, UNKNOWN } from '../../parts/format.ts';

/** The most requested figures of a neighborhood, in this order. */
const MAIN_KEYS = [
  'B01003_001E',
  'B01002_001E',
  'B19013_001E',
  'B25077_001E',
  'B25064_001E',
  'B25003_002E_pct',
  'B25002_003E_pct',
  'B17001_002E_pct',
  'B15003_022E_pct',
  'B23025_005E_pct',
];

/** Plain names of the main figures. Other figures keep the Census Bureau's names. */
const PLAIN: Readonly<Record<string, string>> = {
  B01003_001E: 'Population',
  B01002_001E: 'Median age',
  B19013_001E: 'Median household income',
  B25077_001E: 'Median value of owner-occupied homes',
  B25064_001E: 'Median gross rent',
  B25003_002E_pct: 'Owner-occupied homes',
  B25002_003E_pct: 'Vacancy rate',
  B17001_002E_pct: 'Below the poverty level',
  B15003_022E_pct: 'Bachelor’s degree (age 25 and over)',
  B23025_005E_pct: 'Unemployed (age 16 and over)',
};

export const LEVEL_NAMES: Readonly<Record<CensusEntry['geography_level'], string>> = {
  block_group: 'Block group',
  tract: 'Tract',
  cousub: 'Town',
  county: 'County',
};

const REASONS: Readonly<Record<NonNullable<CensusFigure['null_reason']>, string>> = {
  too_few_sample_cases: 'too few sample cases',
  suppressed: 'suppressed',
  not_applicable: 'not applicable',
  not_published: 'not published',
  not_loaded: 'not loaded',
  base_is_zero: 'base is zero',
};

/** "Tract 107.02", "Block group 1", "Milwaukee city": with the level if the name does not contain it. */
export function areaHead({ geography_level, name }: Pick<CensusEntry, 'geography_level' | 'name'>): string {
  const kind = LEVEL_NAMES[geography_level];
  const first = name
    ?.split(/[,;]/, 1)[0]
    .trim()
    .replace(/^Census /, '');
  if (!first) return kind;
  // Names of towns and counties contain their kind: city, parish, borough.
  if (geography_level === 'cousub' || geography_level === 'county') return first;
  const isNamed = first.toLowerCase().includes(kind.toLowerCase());
  return isNamed ? first.replace('Block Group', 'Block group') : `${kind} ${first}`;
}

/** "journey_to_work" → "Journey to work" */
export function categoryName(category: string): string {
  const words = category.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function categoriesOf({ variables }: CensusVariables): string[] {
  return [...new Set(variables.map(({ category }) => category))].sort();
}

/** The keys of the main figures that are loaded. */
export function mainKeysOf({ variables }: CensusVariables): string[] {
  const loaded = new Set(variables.map(({ census_key }) => census_key));
  return MAIN_KEYS.filter((key) => loaded.has(key));
}

/** Names of the loaded figures by their keys. The Census Bureau's labels, such as "Total", need the name of the table. */
export function figureNames({ variables }: CensusVariables): ReadonlyMap<string, string> {
  return new Map(
    variables.map(({ census_key: key, subcategory, label, value_type }) => {
      const unit = value_type === 'percentage' ? ' (percent)' : '';
      return [key, PLAIN[key] ?? `${categoryName(subcategory)}: ${label ?? key}${unit}`];
    }),
  );
}

/** A row of the table: one figure at every level. */
export interface CensusRow {
  readonly key: string;
  readonly name: string;
  readonly at: ReadonlyMap<string, CensusFigure>;
}

/** Figures as rows, areas as columns, in the order of `keys`, or of their codes. */
export function censusRows(
  entries: CensusData['acs_data'],
  keys: readonly string[] | null,
  names: ReadonlyMap<string, string>,
): CensusRow[] {
  const found = new Set(entries.flatMap(({ variables }) => Object.keys(variables)));
  const ordered = keys === null ? [...found].sort() : keys.filter((key) => found.has(key));
  return ordered.map((key) => ({
    key,
    name: names.get(key) ?? key,
    at: new Map(
      entries.flatMap(({ geoid, variables }) => {
        const figure = variables[key];
        return figure ? [[geoid, figure] as const] : [];
      }),
    ),
  }));
}

/** `$61,250`, `68.4%`, `1,204`, or why the figure is unknown. */
export function figureText({ value, value_type, value_bound, null_reason }: CensusFigure): string {
  if (value === null) return null_reason === null ? UNKNOWN : `${UNKNOWN} ${REASONS[null_reason]}`;
  const bound = value_bound === 'at_least' ? '≥ ' : value_bound === 'at_most' ? '≤ ' : '';
  return bound + amount(value, value_type);
}

/** `± $7,940`; empty if none is published. */
export function marginText({ value, margin_of_error, value_type }: CensusFigure): string {
  return value === null || margin_of_error === null ? '' : `± ${amount(margin_of_error, value_type)}`;
}

function amount(value: number, type: CensusFigure['value_type']): string {
  if (type === 'currency') return formatUsd(value);
  return type === 'percentage' ? formatPct(value) : formatCount(value);
}
