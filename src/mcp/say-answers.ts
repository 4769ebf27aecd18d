import type { Static } from 'typebox';
import type { ComprehensiveBody } from '../schemas/comprehensive.ts';
import type { MultifamilyValuationBody } from '../schemas/multifamily-response.ts';
import type { RentalValuationBody } from '../schemas/rental-response.ts';
import type { CoverageBody } from '../schemas/service.ts';
import type { PropertyValuationBody } from '../schemas/property-response.ts';

/** Responses in a few sentences, for people who read along and for clients that show only text. */

const usd = (value: number): string => `$${Math.round(value).toLocaleString('en-US')}`;

/** Rounds a figure to useful digits: 0.81, not 0.8139534883720930. */
const short = (value: number): string => String(Math.round(value * 100) / 100);
const many = (count: number, one: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`;
const miles = (count: number): string => `${short(count)} ${count === 1 ? 'mile' : 'miles'}`;

interface ValuedLike {
  readonly estimated_value: number;
  readonly confidence_interval_90: { readonly lower: number; readonly upper: number };
  readonly confidence_score: number;
  readonly as_of_date: string;
  readonly inputs: readonly { readonly field: string; readonly value: unknown; readonly source: string }[];
  readonly warnings: readonly { readonly message: string }[];
}

function placeName({
  address_info: { formatted_address: address, latitude, longitude },
}: {
  readonly address_info: {
    readonly formatted_address: string | null;
    readonly latitude: number | null;
    readonly longitude: number | null;
  };
}): string {
  return (
    address ??
    (latitude === null || longitude === null ? 'A place' : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`)
  );
}

function range({
  confidence_interval_90: { lower, upper },
}: Pick<ValuedLike, 'confidence_interval_90'>): string {
  return `90 % range ${usd(lower)} to ${usd(upper)}`;
}

function sureness(valuation: ValuedLike): string {
  return `${range(valuation)}, confidence ${valuation.confidence_score} of 100`;
}

/** Inputs that were not given, and the values used instead. */
function filledIn({ inputs }: ValuedLike): string[] {
  const filled = inputs.filter(
    ({ source, value }) => value !== null && (source === 'comparables' || source === 'default'),
  );
  if (filled.length === 0) return [];
  const list = filled
    .map(({ field, value }) => `${field} ${typeof value === 'number' ? short(value) : String(value)}`)
    .join(', ');
  return [`Not known, so taken from similar properties or as usual: ${list}.`];
}

function warned({ warnings }: { readonly warnings: readonly { readonly message: string }[] }): string[] {
  return warnings.map(({ message }) => `Warning: ${message}`);
}

const lines = (...parts: readonly (string | readonly string[])[]): string => parts.flat().join('\n');

export function sayHome(body: Static<typeof PropertyValuationBody>): string {
  const { valuation } = body;
  const value = `${placeName(body)}: ${usd(valuation.estimated_value)} as of ${valuation.as_of_date} (${sureness(valuation)}).`;
  return lines(value, filledIn(valuation), warned(valuation));
}

export function sayBuilding(body: Static<typeof MultifamilyValuationBody>): string {
  const { valuation } = body;
  const value = `${placeName(body)}, ${many(valuation.total_units, 'unit')}: ${usd(valuation.estimated_value)} as of ${valuation.as_of_date} (${sureness(valuation)}).`;
  return lines(value, filledIn(valuation), warned(valuation));
}

export function sayRents(body: Static<typeof RentalValuationBody>): string {
  const { valuation } = body;
  const total = `${placeName(body)}: ${usd(valuation.estimated_rent)} a month for ${many(valuation.units_valued, 'unit')} as of ${valuation.as_of_date} (${sureness(valuation)}).`;
  const units = valuation.units.map(
    (unit) =>
      `Unit ${unit.unit_index}, ${unit.bedrooms} bed, ${unit.bathrooms} bath: ${usd(unit.estimated_rent)} (${range(unit)}).`,
  );
  return lines(total, units.length > 1 ? units : [], filledIn(valuation), warned(valuation));
}

export function sayComparables(body: Static<typeof PropertyValuationBody>): string {
  const { comparables, valuation } = body;
  const { search } = comparables;
  const found = `${comparables.count} of ${many(search.candidates, 'sale')} within ${miles(search.radius_mi)} of ${placeName(body)}, most similar first.`;
  const items = comparables.items.map(
    (item) =>
      `${item.formatted_address ?? item.comp_id}: sold ${item.sale_date} for ${usd(item.sale_price)}, adjusted ${usd(item.adjusted_price)}, ${short(item.distance_mi)} mi, similarity ${short(item.similarity)}.`,
  );
  return lines(found, items, warned(valuation));
}

export function sayPlace(body: Static<typeof ComprehensiveBody>): string {
  const { location_data: here, census_data: census, errors } = body;
  const figures = (census?.acs_data ?? []).flatMap(({ geography_level: level, year, variables }) =>
    Object.entries(variables).map(
      ([key, { value }]) => `${key} of the ${level.replace('_', ' ')} in ${year}: ${value ?? 'not known'}.`,
    ),
  );
  return lines(
    `${placeName(body)}:`,
    figures.length > MOST_FIGURES ? [`${figures.length} census figures.`] : figures,
    here?.crime ? [sayCrime(here.crime)] : [],
    here?.fire_risk ? [`Wildfire: ${here.fire_risk.description ?? 'not known'}`] : [],
    here?.flood_zone ? [`Flood: ${sayFlood(here.flood_zone)}`] : [],
    Object.entries(errors).map(([section, { code, detail }]) => `No ${section} (${code}): ${detail}`),
    warned(body),
  );
}

/** More figures than this are not written as sentences. */
const MOST_FIGURES = 20;

function sayCrime({
  meta,
  query,
}: {
  readonly meta: {
    readonly count: number;
    readonly truncated: boolean;
    readonly coverage: { readonly agencies: readonly string[] };
  };
  readonly query: { readonly radius_mi: number };
}): string {
  if (meta.coverage.agencies.length === 0)
    return 'Crime: no agency’s records are loaded here, so nothing is known.';
  const found = meta.truncated
    ? `${meta.count.toLocaleString('en-US')} or more incidents`
    : many(meta.count, 'incident');
  return `Crime: ${found} within ${miles(query.radius_mi)}, by ${meta.coverage.agencies.join(', ')}.`;
}

function sayFlood({
  fld_zone: zone,
  user_label: label,
}: {
  readonly fld_zone: string | null;
  readonly user_label: string | null;
}): string {
  return zone === null
    ? 'outside the loaded flood maps, so not known.'
    : `zone ${zone}${label ? `, ${label}` : ''}.`;
}

export function sayCoverage({ markets }: Static<typeof CoverageBody>): string {
  if (markets.length === 0) return 'No market is loaded.';
  return markets
    .map((market) => {
      const layers = Object.entries(market)
        .filter(([name, value]) => name.startsWith('has_') && value === true)
        .map(([name]) => name.slice('has_'.length).replaceAll('_', ' '));
      const from = market.first_date_served ? `values from ${market.first_date_served} on` : 'no model yet';
      return `${market.market}: ${from}; last sale ${market.last_sale_date ?? 'none'}; has ${layers.join(', ')}.`;
    })
    .join('\n');
}
