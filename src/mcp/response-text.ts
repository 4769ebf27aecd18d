import type { Static } from 'typebox';
import { formatUsd, formatMany, formatCount } from '../domain/display-format.ts';
import { HTTP_ERRORS } from '../errors.ts';
import type { ComprehensiveBody } from '../schemas/comprehensive.ts';
import type { MarketIndexBody } from '../schemas/market-index.ts';
import type { MultifamilyValuationBody } from '../schemas/multifamily-response.ts';
import type { Problem, ValidationProblem } from '../schemas/problem.ts';
import type { ChallengedValuationBody } from '../schemas/challenges.ts';
import type { PropertyValuationBody } from '../schemas/property-response.ts';
import type { RentalValuationBody } from '../schemas/rental-response.ts';
import type { CoverageBody } from '../schemas/service.ts';
import type { ValueHistoryBody } from '../schemas/value-history.ts';

/** Responses as a few sentences, for people who follow the conversation and clients that show only text. */

type Home = Static<typeof PropertyValuationBody>;
type Building = Static<typeof MultifamilyValuationBody>;
type Rents = Static<typeof RentalValuationBody>;
type Place = Static<typeof ComprehensiveBody>;
type LocationData = NonNullable<Place['location_data']>;
type Valuation = (Home | Building | Rents)['valuation'];

/** Rounds a figure to useful digits: 0.81, not 0.8139534883720930. */
const short = (value: number): string => String(Math.round(value * 100) / 100);
const miles = (count: number): string => `${short(count)} ${count === 1 ? 'mile' : 'miles'}`;
const lines = (...parts: readonly (string | readonly string[])[]): string => parts.flat().join('\n');

function placeName({ address_info: place }: Pick<Place, 'address_info'>): string {
  const { formatted_address: address, latitude, longitude } = place;
  if (address !== null) return address;
  return latitude === null || longitude === null
    ? 'A place'
    : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}

function range({
  confidence_interval_90: { lower, upper },
}: Pick<Valuation, 'confidence_interval_90'>): string {
  return `90% range ${formatUsd(lower)} to ${formatUsd(upper)}`;
}

/** "… as of 2026-06-20 (90% range …)", and lines for imputed inputs and warnings. */
function valueText(subject: string, valuation: Valuation, units: readonly string[] = []): string {
  const { as_of_date: date, confidence_score: score, confidence_level: level, inputs, warnings } = valuation;
  const within10 = `${Math.round(100 * valuation.probability_within_10_pct)}% likely to be within 10%`;
  const imputed = inputs
    .filter(({ source, value }) => value !== null && (source === 'comparables' || source === 'default'))
    .map(({ field, value }) => `${field} ${typeof value === 'number' ? short(value) : String(value)}`);
  return lines(
    `${subject} as of ${date} (${range(valuation)}, confidence ${level} (score ${score}: 100 minus the FSD in percent); ${within10}).`,
    units,
    imputed.length === 0
      ? []
      : [`Not known, so taken from similar properties or from defaults: ${imputed.join(', ')}.`],
    warningLines(warnings),
  );
}

function warningLines(warnings: Place['warnings']): string[] {
  return warnings.map(({ message }) => `Warning: ${message}`);
}

export function homeText(body: Home): string {
  const { valuation } = body;
  return valueText(`${placeName(body)}: ${formatUsd(valuation.estimated_value)}`, valuation);
}

export function challengeText(body: Static<typeof ChallengedValuationBody>): string {
  const { challenge, changes, valuation } = body;
  const moved = changes.split.filter(({ amount }) => amount !== 0);
  const causes = moved.map(
    ({ cause, amount }) => `${cause} ${amount < 0 ? '-' : '+'}${formatUsd(Math.abs(amount))}`,
  );
  const renovations = changes.renovations;
  return valueText(
    `${placeName(body)}: ${formatUsd(valuation.estimated_value)}, before ${formatUsd(changes.before.estimated_value)} (challenge, version ${challenge.version})`,
    valuation,
    [
      `Change: ${causes.join(', ') || 'none'}.`,
      ...(renovations ? [`As repaired: ${formatUsd(renovations.as_repaired.estimated_value)}.`] : []),
    ],
  );
}

export function historyText(body: Static<typeof ValueHistoryBody>): string {
  const { history, forecast, sales, warnings } = body;
  const point = ({ date, value, interval_90: { lower, upper } }: (typeof history)[number]): string =>
    `${formatUsd(value)} on ${date} (90% range ${formatUsd(lower)} to ${formatUsd(upper)})`;
  const [first, last, end] = [history.at(0), history.at(-1), forecast.at(-1)];
  return lines(
    last ? `${placeName(body)}: ${point(last)}.` : [],
    first && first !== last ? `History from ${point(first)}.` : [],
    end ? `Forecast: ${point(end)}.` : [],
    sales.map(
      ({ sale_date, sale_price, is_used }) =>
        `Sold ${sale_date} for ${formatUsd(sale_price)}${is_used ? '' : ' (not a market sale)'}.`,
    ),
    warningLines(warnings),
  );
}

export function buildingText(body: Building): string {
  const { valuation } = body;
  const units = formatMany(valuation.total_units, 'unit');
  return valueText(`${placeName(body)}, ${units}: ${formatUsd(valuation.estimated_value)}`, valuation);
}

export function rentsText(body: Rents): string {
  const { valuation } = body;
  const units = valuation.units.map(
    (unit) =>
      `Unit ${unit.unit_index}, ${unit.bedrooms} bed, ${unit.bathrooms} bath: ${formatUsd(unit.estimated_rent)} (${range(unit)}).`,
  );
  const total = `${formatUsd(valuation.estimated_rent)} a month for ${formatMany(valuation.units_valued, 'unit')}`;
  return valueText(`${placeName(body)}: ${total}`, valuation, units.length > 1 ? units : []);
}

export function comparablesText(body: Home): string {
  const { comparables, valuation } = body;
  const { search } = comparables;
  return lines(
    `${comparables.count} of the ${formatMany(search.candidates, 'nearest sale')} within ${miles(search.radius_mi)} of ${placeName(body)}, most similar first.`,
    comparables.items.map(
      (item) =>
        `${item.formatted_address ?? item.comp_id}: sold ${item.sale_date} for ${formatUsd(item.sale_price)}, adjusted ${formatUsd(item.adjusted_price)}, ${short(item.distance_mi)} mi, similarity ${short(item.similarity)}.`,
    ),
    warningLines(valuation.warnings),
  );
}

/** More figures than this are not written as sentences. */
const MAX_FIGURES = 20;

export function placeText(body: Place): string {
  const { location_data: here, census_data: census, errors } = body;
  const figures = (census?.acs_data ?? []).flatMap(({ geography_level: level, year, variables }) =>
    Object.entries(variables).map(
      ([key, { value }]) => `${key} of the ${level.replace('_', ' ')} in ${year}: ${value ?? 'not known'}.`,
    ),
  );
  return lines(
    `${placeName(body)}:`,
    figures.length > MAX_FIGURES ? [`${figures.length} census figures.`] : figures,
    here?.crime ? [crimeText(here.crime)] : [],
    here?.fire_risk ? [`Wildfire: ${here.fire_risk.description ?? 'not known'}`] : [],
    here?.flood_zone ? [`Flood: ${floodText(here.flood_zone)}`] : [],
    Object.entries(errors).map(([section, { code, detail }]) => `No ${section} (${code}): ${detail}`),
    warningLines(body.warnings),
  );
}

function crimeText({ meta, query }: NonNullable<LocationData['crime']>): string {
  const { agencies } = meta.coverage;
  if (agencies.length === 0) return 'Crime: no agency’s records are loaded here, so nothing is known.';
  const found = meta.truncated
    ? `${formatCount(meta.count)} or more incidents`
    : formatMany(meta.count, 'incident');
  return `Crime: ${found} within ${miles(query.radius_mi)}, by ${agencies.join(', ')}.`;
}

function floodText({ fld_zone: zone, user_label: label }: NonNullable<LocationData['flood_zone']>): string {
  if (zone === null) return 'outside the loaded flood maps, so not known.';
  return `zone ${zone}${label ? `, ${label}` : ''}.`;
}

export function coverageText({ markets }: Static<typeof CoverageBody>): string {
  if (markets.length === 0) return 'No market is loaded.';
  return markets
    .map((market) => {
      const layers = Object.entries(market)
        .filter(([name, value]) => name.startsWith('has_') && value === true)
        .map(([name]) => name.slice('has_'.length).replaceAll('_', ' '));
      const served = market.models.map(
        ({ kind, first_date_served: first }) => `${kind} values from ${first} on`,
      );
      const rows = [
        ...(market.has_sales ? [`last sale ${market.last_sale_date ?? 'unknown'}`] : []),
        ...(market.has_rents ? [`last listing ${market.last_listed_date ?? 'unknown'}`] : []),
      ];
      const own = new Set([...market.features, ...market.rent_features].map(({ name }) => name));
      const features = own.size > 0 ? ` Features of its own: ${[...own].join(', ')}.` : '';
      const models = served.join(', ') || 'no model yet';
      return `${market.market}: ${[models, ...rows].join('; ')}; has ${layers.join(', ')}.${features}`;
    })
    .join('\n');
}

export function trendsText(body: Static<typeof MarketIndexBody>): string {
  const of = [body.market, body.property_type, body.area].filter((part) => part !== null).join(', ');
  const sentence = (what: string, series: Trend): string => {
    const last = series.forecast.at(-1);
    const now = series.history.at(-1);
    const change = series.year_over_year_pct;
    const past = `${what} to ${series.last_month}: ${change === null ? 'less than a year of history' : `${change}% in a year`}`;
    if (!last || !now) return `${past}.`;
    const { lower, upper } = last.interval_80;
    const percent = (index: number) => `${((index / now.index - 1) * 100).toFixed(1)}%`;
    return `${past}; forecast to ${last.month}: ${percent(last.index)} (80% range ${percent(lower)} to ${percent(upper)}).`;
  };
  return lines(
    `${of}, as known on ${body.as_of_date}:`,
    body.prices ? [sentence('Prices', body.prices)] : ['No price index.'],
    body.rents.map((rents) =>
      sentence(rents.bedrooms === null ? 'Rents' : `Rents of ${rents.bedrooms} bedrooms`, rents),
    ),
    warningLines(body.warnings),
  );
}

type Trend =
  NonNullable<Static<typeof MarketIndexBody>['prices']> | Static<typeof MarketIndexBody>['rents'][number];

/** A problem document, with `retry_after` where the caller must wait. */
export type AnyProblem = (Static<typeof Problem> | Static<typeof ValidationProblem>) & {
  readonly retry_after?: number;
};

/**
 * Explains an error in terms of the tool's arguments: a model reads this and calls again, or informs its user.
 */
export function problemText(problem: AnyProblem): string {
  const { code, detail, request_id: requestId, retry_after: wait } = problem;
  const candidates = 'candidates' in problem ? (problem.candidates ?? []) : [];
  return lines(
    // The arguments are the body itself, so paths omit "body".
    typeof detail === 'string'
      ? detail
      : detail.map(({ loc, msg }) => `${loc.filter((part) => part !== 'body').join('.')} ${msg}`),
    adviceOf(code),
    candidates.map((one) => `Candidate: ${one.formatted_address} (${one.latitude}, ${one.longitude})`),
    wait === undefined ? [] : [`Try again in ${wait} s, not before.`],
    `(code ${code}, request ${requestId})`,
  );
}

function adviceOf(code: string): string[] {
  if (code === 'validation_error') return ['Correct these arguments and call again.'];
  if (code === 'outside_coverage' || code === 'insufficient_data') {
    return ['Call the tool `coverage` to see which places and dates are served; do not guess a value.'];
  }
  const advice = HTTP_ERRORS.find((known) => known.code === code)?.meaning;
  return advice ? [advice] : [];
}
