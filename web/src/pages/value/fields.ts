import {
  MULTIFAMILY_FIELDS,
  PROPERTY_FIELDS,
  RENTAL_FIELDS,
} from '../../../../src/domain/property-attributes.ts';
import { featureField, type OwnFeature } from '../../../../src/domain/own-features.ts';
import { isPropertyType, PROPERTY_TYPE_LABELS } from '../../../../src/domain/property-types.ts';
import type { RequestField } from '../../../../src/domain/request-field.ts';
import type { Choice } from '../../parts/field.tsx';
import { formatCount } from '../../parts/format.ts';

/** The control of a detail in the form. */
export type Control =
  | {
      readonly kind: 'number';
      readonly min: number;
      readonly max: number;
      readonly step: number;
      readonly unit?: string;
      /** With a slider, for amounts. */
      readonly slides?: true;
    }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] };

export interface FieldOf {
  /** Its name in requests. */
  readonly name: string;
  readonly label: string;
  readonly control: Control;
  /** A request needs it. */
  readonly isRequired?: true;
}

const CONDITIONS = [
  { value: '1', label: 'Poor' },
  { value: '2', label: 'Fair' },
  { value: '3', label: 'Average' },
  { value: '4', label: 'Good' },
  { value: '5', label: 'Excellent' },
] as const;

/** Numbers and choices first, then yes/no; otherwise in the order of the API. */
function formFields(fields: readonly RequestField[]): FieldOf[] {
  const isYesNo = ({ type }: RequestField): boolean => type === 'boolean';
  return [...fields.filter((field) => !isYesNo(field)), ...fields.filter(isYesNo)].map((field) => ({
    name: field.name,
    label: field.label,
    control: controlOf(field),
    ...(field.isRequired ? { isRequired: true } : {}),
  }));
}

function controlOf(field: RequestField): Control {
  const { type, minimum = 0, maximum = Infinity, formMaximum, step = 1, unit, hasSlider } = field;
  if (type === 'boolean') return { kind: 'yes-no' };
  if (type === 'condition') return { kind: 'choice', choices: CONDITIONS };
  if (type === 'choice') return { kind: 'choice', choices: (field.choices ?? []).map(typeChoice) };
  return {
    kind: 'number',
    min: minimum,
    max: formMaximum ?? maximum,
    step,
    ...(unit ? { unit } : {}),
    ...(hasSlider ? { slides: true } : {}),
  };
}

function typeChoice(value: string): Choice {
  return { value, label: isPropertyType(value) ? PROPERTY_TYPE_LABELS[value] : value };
}

export const HOME_FIELDS = formFields(PROPERTY_FIELDS);
export const RENT_FIELDS = formFields(RENTAL_FIELDS);
export const BUILDING_FIELDS = formFields(MULTIFAMILY_FIELDS);

/** Whether a field of a request is one of the market's own features. */
export function isFeature(field: string): boolean {
  return field.startsWith(FEATURES);
}

const FEATURES = featureField('');
/** Values of features are not limited: the server warns of unusual ones. */
const ANY_NUMBER = { kind: 'number', min: -1e9, max: 1e9, step: 0.001 } as const;

/** The market's own features as fields of the form. Categories with too many values are left out. */
export function featureFields(features: readonly Pick<OwnFeature, 'name' | 'kind' | 'values'>[]): FieldOf[] {
  return features.flatMap(({ name, kind, values }): FieldOf[] => {
    const field = { name: featureField(name), label: labelOf(featureField(name)) };
    if (kind === 'number') return [{ ...field, control: ANY_NUMBER }];
    const choices = values?.map((value) => ({ value, label: value })) ?? [];
    return choices.length === 0 ? [] : [{ ...field, control: { kind: 'choice', choices } }];
  });
}

const LABELS = new Map(
  [...BUILDING_FIELDS, ...RENT_FIELDS, ...HOME_FIELDS].map(({ name, label }) => [name, label]),
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
  return OTHERS[field] ?? LABELS.get(field) ?? upperFirst(name.replaceAll('_', ' '));
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value with its unit or label: `1,840 sq ft`, `yes`, `Good`. */
export function wordOf(field: string, value: number | boolean | string | null): string {
  if (value === null) return 'unknown';
  if (field === 'age') return `${value} years`;
  if (field === 'site') return wordOf('lot_size', value);
  if (field.startsWith('has_') || typeof value === 'boolean')
    return value === true || value === 1 ? 'yes' : 'no';
  const control = [...HOME_FIELDS, ...BUILDING_FIELDS].find(({ name }) => name === field)?.control;
  if (control?.kind === 'choice') {
    return control.choices.find((choice) => choice.value === String(value))?.label ?? String(value);
  }
  if (field === 'year_built') return String(value);
  const unit =
    control?.kind === 'number' && control.unit ? ` ${control.unit}` : field === 'size' ? ' sq ft' : '';
  if (typeof value !== 'number') return value;
  return unit === '' ? formatCount(value) : `${formatCount(Math.round(value))}${unit}`;
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
