import { formatCount, withReadableDates } from './display-format.ts';
import { featureField } from './own-features.ts';
import { MULTIFAMILY_FIELDS, PROPERTY_FIELDS, RENTAL_FIELDS } from './property-attributes.ts';
import { isPropertyType, PROPERTY_TYPE_LABELS } from './property-types.ts';
import type { RequestField } from './request-field.ts';

/** How fields of requests, inputs and adjustments are called and written, in the console and in reports. */

/** By the number of the API. */
export const CONDITION_LABELS: readonly string[] = [
  'Unknown',
  'Poor',
  'Fair',
  'Average',
  'Good',
  'Excellent',
];

const FEATURES = featureField('');

/** Whether a field of a request is one of the market's own features. */
export function isFeature(field: string): boolean {
  return field.startsWith(FEATURES);
}

// Of fields with one name the later one counts: that of homes.
const FIELDS = new Map<string, RequestField>(
  [...MULTIFAMILY_FIELDS, ...RENTAL_FIELDS, ...PROPERTY_FIELDS].map((field) => [field.name, field]),
);

/** Adjustments and inputs that are not in a form. Rooms without "total" are those of a unit. */
const OTHERS: Readonly<Record<string, string>> = {
  site: 'Site',
  age: 'Age',
  baths: 'Baths',
  other: 'Other',
  size: 'Size',
  bedrooms: 'Bedrooms',
  bathrooms: 'Bathrooms',
};

/** The label of a request field, an input or an adjustment. */
export function labelOf(field: string): string {
  const name = isFeature(field) ? field.slice(FEATURES.length) : field;
  return OTHERS[field] ?? FIELDS.get(field)?.label ?? upperFirst(name.replaceAll('_', ' '));
}

/**
 * A message of the API in the words of a page: `living_area of 2710 sqft on 2026-03-31` → `living area of 2,710 sq ft on
 * Mar 31, 2026`.
 */
export function readableMessage(message: string): string {
  return withReadableDates(message)
    .replaceAll(/[a-z]+(?:_[a-z]+)+/g, (name) => (FIELDS.has(name) ? labelOf(name).toLowerCase() : name))
    .replaceAll(/\b(\d+) sqft\b/g, (_, area: string) => `${formatCount(Number(area))} sq ft`);
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value with its unit or label: `1,840 sq ft`, `yes`, `Good`. */
export function wordOf(field: string, value: number | boolean | string | null): string {
  if (value === null) return 'unknown';
  if (field === 'age') return `${value} years`;
  if (field === 'site') return wordOf('lot_size', value);
  if (field.startsWith('has_') || typeof value === 'boolean')
    return value === true || value === 1 ? 'yes' : 'no';
  const type = FIELDS.get(field)?.type;
  if (type === 'condition') return CONDITION_LABELS[Number(value)] ?? String(value);
  if (typeof value === 'string') return isPropertyType(value) ? PROPERTY_TYPE_LABELS[value] : value;
  if (field === 'year_built') return String(value);
  const unit = FIELDS.get(field)?.unit ?? (field === 'size' ? 'sq ft' : null);
  // Bathrooms come in quarters. A market's own feature can be a code, such as 2040 of a neighborhood.
  return unit === null
    ? value.toLocaleString('en-US', { maximumFractionDigits: 2, useGrouping: !isFeature(field) })
    : `${formatCount(Math.round(value))} ${unit}`;
}

/** `3 bed · 2 bath · 1,840 sq ft`, as far as it is known. */
export function roomsText(home: {
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  readonly size: number | null;
}): string {
  const { bedrooms, bathrooms, size } = home;
  return [
    bedrooms !== null && `${bedrooms} bed`,
    bathrooms !== null && `${bathrooms} bath`,
    size !== null && `${formatCount(Math.round(size))} sq ft`,
  ]
    .filter(Boolean)
    .join(' · ');
}
