import type { Choice } from '../../parts/field.tsx';
import { formatCount } from '../../parts/format.ts';

/** How a person says an attribute. */
export type Control =
  | {
      readonly kind: 'number';
      readonly min: number;
      readonly max: number;
      readonly step: number;
      readonly unit?: string;
      /** Dragged as well as typed: amounts that people think of as more or less. */
      readonly slides?: true;
    }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] };

export interface FieldOf {
  /** As requests call it. */
  readonly name: string;
  readonly label: string;
  readonly control: Control;
  /** Without it nothing can be asked. */
  readonly isRequired?: true;
}

const TYPES = [
  { value: 'houses', label: 'House' },
  { value: 'townhomes', label: 'Townhome' },
  { value: 'condos', label: 'Condo' },
  { value: 'small_multifamily', label: '2–4 units' },
  { value: 'multifamily', label: '5 units or more' },
  { value: 'mobile', label: 'Mobile home' },
] as const;

const CONDITIONS = [
  { value: '1', label: 'Poor' },
  { value: '2', label: 'Fair' },
  { value: '3', label: 'Average' },
  { value: '4', label: 'Good' },
  { value: '5', label: 'Excellent' },
] as const;

const number = (min: number, max: number, step = 1, unit?: string): Control => ({
  kind: 'number',
  min,
  max,
  step,
  ...(unit ? { unit } : {}),
});
const amount = (min: number, max: number, step: number, unit?: string): Control => ({
  ...number(min, max, step, unit),
  kind: 'number',
  min,
  max,
  step,
  slides: true,
});
const yesNo: Control = { kind: 'yes-no' };
const condition: Control = { kind: 'choice', choices: CONDITIONS };

/** Areas have no upper limit in a request; here one that no typing error passes. */
const AREA_MAX = 2_000_000;
const area = (step: number): Control => amount(0, AREA_MAX, step, 'sq ft');

/** The newest year that a request takes. */
const YEARS = [1800, 2030] as const;

/** What a home is made of, in the order in which people tell it. */
export const HOME_FIELDS: readonly FieldOf[] = [
  { name: 'property_type', label: 'Type', control: { kind: 'choice', choices: TYPES } },
  { name: 'total_bedrooms', label: 'Bedrooms', control: number(0, 50), isRequired: true },
  { name: 'total_bathrooms', label: 'Bathrooms', control: number(0, 50, 0.5), isRequired: true },
  { name: 'living_area', label: 'Living area', control: area(10) },
  { name: 'lot_size', label: 'Lot', control: area(100) },
  { name: 'year_built', label: 'Year built', control: amount(...YEARS, 1) },
  { name: 'condition', label: 'Condition', control: condition },
  { name: 'num_stories', label: 'Stories', control: number(1, 5) },
  { name: 'garage_spaces', label: 'Garage spaces', control: number(0, 20) },
  { name: 'other_spaces', label: 'Other parking', control: number(0, 50) },
  { name: 'fireplace_count', label: 'Fireplaces', control: number(0, 10) },
  { name: 'has_basement', label: 'Basement', control: yesNo },
  { name: 'has_central_air', label: 'Central air', control: yesNo },
  { name: 'has_pool', label: 'Pool', control: yesNo },
  { name: 'has_porch', label: 'Porch or patio', control: yesNo },
  { name: 'has_deck', label: 'Deck or balcony', control: yesNo },
  { name: 'has_laundry', label: 'Laundry', control: yesNo },
  { name: 'has_adu', label: 'Second dwelling', control: yesNo },
  { name: 'total_units', label: 'Units', control: number(1, 4) },
];

export const RENT_FIELDS: readonly FieldOf[] = [
  {
    name: 'property_type',
    label: 'Type of building',
    control: { kind: 'choice', choices: TYPES.filter(({ value }) => value !== 'mobile') },
  },
  { name: 'total_units', label: 'Units in the building', control: number(1, 1000) },
  { name: 'condition', label: 'Condition', control: condition },
  { name: 'has_central_air', label: 'Central air', control: yesNo },
  { name: 'has_laundry', label: 'Laundry in the unit', control: yesNo },
  { name: 'has_parking', label: 'Off-street parking', control: yesNo },
];

export const BUILDING_FIELDS: readonly FieldOf[] = [
  { name: 'total_units', label: 'Units', control: number(2, 1000), isRequired: true },
  { name: 'bedrooms', label: 'Bedrooms, all units', control: number(0, 5000), isRequired: true },
  { name: 'bathrooms', label: 'Bathrooms, all units', control: number(0, 5000, 0.5), isRequired: true },
  { name: 'living_area', label: 'Living area', control: area(100) },
  { name: 'lot_size', label: 'Lot', control: area(100) },
  { name: 'year_built', label: 'Year built', control: amount(...YEARS, 1) },
  { name: 'num_stories', label: 'Stories', control: number(1, 200) },
  { name: 'condition_rating', label: 'Condition', control: condition },
];

const LABELS = new Map(
  [...BUILDING_FIELDS, ...RENT_FIELDS, ...HOME_FIELDS].map(({ name, label }) => [name, label]),
);

/** Lines of a grid and inputs that nobody fills in; rooms without "total" are those of a unit. */
const OTHERS: Readonly<Record<string, string>> = {
  time: 'Time',
  location: 'Place and the rest',
  size: 'Size',
  bedrooms: 'Bedrooms',
  bathrooms: 'Bathrooms',
};

/** What people call a field of a request, an input or a line of the grid. */
export function labelOf(field: string): string {
  return OTHERS[field] ?? LABELS.get(field) ?? upperFirst(field.replaceAll('_', ' '));
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value as people read it: `1,840 sq ft`, `yes`, `Good`. */
export function wordOf(field: string, value: number | boolean | string | null): string {
  if (value === null) return 'unknown';
  if (field.startsWith('has_') || typeof value === 'boolean')
    return value === true || value === 1 ? 'yes' : 'no';
  const told = [...HOME_FIELDS, ...BUILDING_FIELDS].find(({ name }) => name === field)?.control;
  if (told?.kind === 'choice') {
    return told.choices.find((choice) => choice.value === String(value))?.label ?? String(value);
  }
  if (field === 'year_built') return String(value);
  const unit = told?.kind === 'number' && told.unit ? ` ${told.unit}` : field === 'size' ? ' sq ft' : '';
  return typeof value === 'number' ? `${formatCount(value)}${unit}` : value;
}
