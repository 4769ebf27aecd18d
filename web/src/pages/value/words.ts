import type { Accuracy, Figures, ValuationInput } from '../../api/valuations.ts';
import { formatCount, formatPercent, formatUsd } from '../../parts/format.ts';
import type { Kind } from './asked.ts';
import { labelOf, wordOf } from './fields.ts';

type Range = Pick<Figures, 'estimated_value_low' | 'estimated_value_high'>;

/** The range as a sentence. */
export function rangeSentence(
  kind: Kind,
  { estimated_value_low: low, estimated_value_high: high }: Range,
): string {
  const range = `between ${formatUsd(low)} and ${formatUsd(high)}`;
  if (kind === 'rent') return `90% prediction range: ${range} per month.`;
  return `90% prediction range: ${range}.`;
}

/** What is read out when a value arrives: as brief as can be. */
export function announcement(kind: Kind, usd: number, changeUsd: number | null): string {
  const value = `${formatUsd(usd)}${kind === 'rent' ? ' per month' : ''}`;
  if (changeUsd === null || changeUsd === 0) return `Valued at ${value}.`;
  return `Now ${value}, ${formatUsd(Math.abs(changeUsd))} ${changeUsd > 0 ? 'more' : 'less'}.`;
}

/** What was measured on, as people call it. */
const STRATA: Readonly<Record<string, string>> = {
  houses: 'houses',
  townhomes: 'townhomes',
  condos: 'condos',
  small_multifamily: 'buildings of 2–4 units',
  multifamily: 'buildings of 5 units or more',
  mobile: 'mobile homes',
};

/**
 * What the model measured of itself, in a sentence that says of what; null where it measured nothing. Where it valued fewer than 30
 * of the type before they were sold, the figures are those of the whole market.
 */
export function accuracySentence(accuracy: Accuracy, kind: Kind): string | null {
  if (!accuracy) return null;
  const { stratum, n, mdape, ppe10, coverage_90: coverage, window } = accuracy;
  const what = kind === 'rent' ? 'listings' : 'sales';
  const isAll = stratum === 'all';
  const ofWhat = isAll ? 'of all types of property here' : `of ${STRATA[stratum] ?? stratum}`;
  const covered = coverage === null ? '' : `; ${formatPercent(coverage, 0)} lay inside the 90% range`;
  const measured =
    `Of ${formatCount(n)} ${what} ${ofWhat} that it had not seen (${window.replace('/', ' to ')}), it missed half by less ` +
    `than ${formatPercent(mdape)} and came within 10% of ${formatPercent(ppe10, 0)}${covered}.`;
  return isAll ? `${measured} ${TOO_FEW[kind]}` : measured;
}

const TOO_FEW = {
  home: 'Those of this type alone were too few to measure.',
  rent: 'Those of this type alone were too few to measure.',
  building: 'Buildings of this size were too few to measure: how far it misses them is not known.',
} as const satisfies Record<Kind, string>;

const SOURCES = {
  request: 'Entered by you',
  record: 'public record',
  default: 'assumed',
  comparables: 'nearby homes',
} as const;

/** Where an input came from: `public record`, `15 nearby homes`. */
export function sourceWords({ source, support, value }: ValuationInput, kind: Kind): string {
  if (source === 'default' && value === null) return 'unknown nearby, too';
  if (source !== 'comparables') return SOURCES[source];
  const what = kind === 'rent' ? 'listing' : 'home';
  return `${support ?? 0} nearby ${what}${support === 1 ? '' : 's'}`;
}

/** Below half a percent of the range nobody sees it. */
export function isWorthKnowing(narrowerBy: number, widthUsd: number): boolean {
  return narrowerBy >= 0.005 * widthUsd;
}

/** How much an attribute is worth knowing, in a sentence. */
export function costSentence(
  field: string,
  narrowerBy: number,
  widthUsd: number,
  tried: readonly { readonly value: number | boolean; readonly estimated_value: number }[],
): string {
  const [least, most] = [tried[0], tried[tried.length - 1]];
  const moves =
    least === undefined || most === undefined || tried.length === 1
      ? 'All nearby homes are alike in it.'
      : `${upperFirst(inWords(field, least.value))} it would be ${formatUsd(least.estimated_value)}, ` +
        `${inWords(field, most.value)} ${formatUsd(most.estimated_value)}.`;
  if (!isWorthKnowing(narrowerBy, widthUsd)) return `Knowing it would not narrow the range. ${moves}`;
  return `Knowing it narrows the range by about ${formatUsd(narrowerBy)} (${formatPercent(narrowerBy / widthUsd, 0)}). ${moves}`;
}

function inWords(field: string, value: number | boolean): string {
  if (field.startsWith('has_'))
    return `${value === true ? 'with' : 'without'} ${labelOf(field).toLowerCase()}`;
  if (field === 'year_built') return `built in ${value}`;
  const word = wordOf(field, value);
  if (field === 'condition') return `in ${word.toLowerCase()} condition`;
  return field.endsWith('_area') || field === 'lot_size'
    ? `at ${word}`
    : `with ${word} ${labelOf(field).toLowerCase()}`;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
