import type { Accuracy, Figures, ValuationInput, ValuationWarning } from '../../api/valuations.ts';
import { formatCount, formatDay, formatPercent, formatUsd } from '../../parts/format.ts';
import type { Kind } from './value-request.ts';
import { isFeature, labelOf, readableMessage, wordOf } from './fields.ts';

type DatedValue = Pick<Figures, 'point_value'> & { readonly as_of_date: string };
type Range = Pick<Figures, 'estimated_value_low' | 'estimated_value_high'>;

export function rangeSentence(
  kind: Kind,
  { estimated_value_low: low, estimated_value_high: high }: Range,
): string {
  return `90% prediction range: ${formatUsd(low)} – ${formatUsd(high)}${kind === 'rent' ? ' per month' : ''}`;
}

/** The value that another is compared with: `from $239,581`, with its date if that was changed. */
export function comparedWith(asOf: string, { point_value: usd, as_of_date: date }: DatedValue): string {
  return `from ${formatUsd(usd)}${date === asOf ? '' : ` as of ${formatDay(date)}`}`;
}

/** A short announcement of a new value for screen readers. */
export function announcement(kind: Kind, usd: number, changeUsd: number): string {
  const value = `${formatUsd(usd)}${kind === 'rent' ? ' per month' : ''}`;
  if (changeUsd === 0) return `Valued at ${value}.`;
  return `Now ${value}, ${formatUsd(Math.abs(changeUsd))} ${changeUsd > 0 ? 'more' : 'less'}.`;
}

const STRATA: Readonly<Record<string, string>> = {
  houses: 'houses',
  townhomes: 'townhomes',
  condos: 'condos',
  small_multifamily: 'buildings of 2–4 units',
  multifamily: 'buildings of 5 units or more',
  mobile: 'mobile homes',
};

/**
 * The model's measured accuracy; null if it was not measured. It is that of the type and confidence level
 * (`houses:low`); of the type, or of all types, if there are fewer than 30 holdout sales.
 */
export function accuracySentence(accuracy: Accuracy, kind: Kind): string | null {
  if (!accuracy) return null;
  const { stratum, n, mdape, ppe10, coverage_90: coverage, window } = accuracy;
  const isAll = stratum === 'all';
  const what = `${formatCount(n)} holdout ${kind === 'rent' ? 'listings' : 'sales'}`;
  const [type, level] = stratum.split(':');
  const ofType = isAll ? 'of all property types' : `of ${STRATA[type] ?? type}`;
  const ofWhat = level ? `${ofType} with ${level} confidence` : ofType;
  const covered = coverage === null ? '' : `, ${formatPercent(coverage, 0)} in the 90% range`;
  const measured =
    `Measured on ${what} ${ofWhat} (${window.split('/').map(formatDay).join(' to ')}): median error ${formatPercent(mdape)}, ` +
    `${formatPercent(ppe10, 0)} within 10%${covered}.`;
  if (!isAll) return measured;
  return `${measured} There are too few ${kind === 'building' ? 'buildings of this size' : 'of this type'} to measure them separately.`;
}

const SOURCES = {
  // By the reader or, in a stored value, by somebody else.
  request: 'Entered',
  record: 'public record',
  default: 'assumed',
  comparables: 'nearby homes',
} as const;

/** The source of an input: `public record`, `15 nearby homes`. */
export function sourceWords({ source, support, value }: ValuationInput, kind: Kind): string {
  if (source === 'default' && value === null) return 'unknown';
  if (source !== 'comparables') return SOURCES[source];
  const what = kind === 'rent' ? 'listing' : 'home';
  return `${support ?? 0} nearby ${what}${support === 1 ? '' : 's'}`;
}

/** What the API requires of a request and the page does not: details that are estimated, and unknown ones. */
export function requiredSentences(estimated: readonly string[], unknown: readonly string[]): string {
  const labels = (names: readonly string[]): string =>
    names.map((name) => labelOf(name).toLowerCase()).join(' and ');
  const ofEstimated =
    estimated.length === 0
      ? ''
      : ` The API requires ${labels(estimated)}: here estimates are sent as facts, so its value differs. Enter the right ones above.`;
  if (unknown.length === 0) return ofEstimated;
  return `${ofEstimated} The API rejects this request without ${labels(unknown)}. Enter ${unknown.length === 1 ? 'it' : 'them'} above, or add ${unknown.map((name) => `"${name}"`).join(' and ')} to "property_fields".`;
}

/** Less than half a percent of the range would not be visible. */
export function isWorthKnowing(narrowerBy: number, widthUsd: number): boolean {
  return narrowerBy >= 0.005 * widthUsd;
}

/** How much knowing a detail would narrow the range, and the values with the most different figures. */
export function detailSentence(
  field: string,
  narrowerBy: number,
  widthUsd: number,
  tried: readonly { readonly value: number | boolean | string; readonly estimated_value: number }[],
): string {
  const [least, most] = [tried[0], tried[tried.length - 1]];
  const moves =
    least === undefined || most === undefined || tried.length === 1
      ? 'All similar homes nearby have the same value for this detail.'
      : `Value ${inWords(field, least.value)}: ${formatUsd(least.estimated_value)}; ` +
        `${inWords(field, most.value)}: ${formatUsd(most.estimated_value)}.`;
  if (!isWorthKnowing(narrowerBy, widthUsd)) return `Knowing it would not narrow the range. ${moves}`;
  return `Knowing it narrows the range by about ${formatUsd(narrowerBy)} (${formatPercent(narrowerBy / widthUsd, 0)}). ${moves}`;
}

function inWords(field: string, value: number | boolean | string): string {
  if (field.startsWith('has_'))
    return `${value === true ? 'with' : 'without'} ${labelOf(field).toLowerCase()}`;
  if (field === 'year_built') return `built in ${value}`;
  const word = wordOf(field, value);
  if (isFeature(field)) return `with ${labelOf(field).toLowerCase()} ${word}`;
  if (field === 'condition') return `in ${word.toLowerCase()} condition`;
  if (field.endsWith('_area') || field === 'lot_size') return `at ${word}`;
  const things = labelOf(field).toLowerCase();
  return `with ${word} ${value === 1 ? one(things) : things}`;
}

/** `bathrooms` → `bathroom`, `stories` → `story`, `units in the building` → `unit in the building` */
function one(things: string): string {
  return things.replace(/\bstories\b/, 'story').replace(/(room|place|space|unit)s\b/, '$1');
}

/**
 * Warnings whose message names members of a request, in words for a form. Other codes keep the server's message.
 */
const WARNINGS: Readonly<Record<string, (used: (field: string) => string, field: string | null) => string>> =
  {
    property_type_assumed: (used) =>
      `No record has the type of this property. It was valued as: ${used('property_type')}. Select the type if that is wrong.`,
    property_type_mismatch: (used) =>
      `The selected type does not match the number of units. It was valued as: ${used('property_type')}.`,
    units_unknown: () =>
      'No record has the number of units, so it was estimated from nearby buildings. Enter it under Multifamily.',
    units_assumed: (used) =>
      `No record has the number of units. ${used('total_units')} were assumed. Enter the number if that is wrong.`,
    units_exceed_building: (used) =>
      `You entered more units than the building has according to the records (${used('total_units')}).`,
    record_of_another_building: (used) =>
      `The public record is of a different building, not of one with ${used('total_units')} units. It was not used.`,
    unit_not_sold_separately: () =>
      'This is a unit of a rental building, which is not sold separately. It was valued as if it could be sold like a condo. Value the whole building under Multifamily, or its rent under Rental.',
    zero_taken_as_unknown: (_, field) =>
      `${field === null ? 'A figure' : labelOf(field)} is 0, which was treated as unknown.`,
  };

/** `$500,000 (2026)` */
export function assessmentText(assessment: { readonly value: number; readonly year: number | null }): string {
  const { value, year } = assessment;
  return formatUsd(value) + (year === null ? '' : ` (${year})`);
}

/** Their messages say "this" and mean the field. */
export const ABOUT_A_FIELD: ReadonlySet<string> = new Set([
  'not_in_training_sales',
  'outside_training_range',
  'implausible_input',
]);

/** A warning in the words of the page. `inputs` are those of the valuation. */
export function warningWords(
  { code, field, message }: Pick<ValuationWarning, 'code' | 'field' | 'message'>,
  inputs: readonly Pick<ValuationInput, 'field' | 'value'>[],
): string {
  const used = (name: string): string => {
    const value = inputs.find((input) => input.field === name)?.value ?? null;
    return typeof value === 'number' ? formatCount(value) : wordOf(name, value);
  };
  return WARNINGS[code]?.(used, field) ?? messageOfField({ code, field, message });
}

/** The message of a warning, with its field where the message does not name it. */
export function messageOfField({
  code,
  field,
  message,
}: Pick<ValuationWarning, 'code' | 'field' | 'message'>): string {
  const text = readableMessage(message);
  return field !== null && ABOUT_A_FIELD.has(code) ? `${labelOf(field)}: ${text}` : text;
}
