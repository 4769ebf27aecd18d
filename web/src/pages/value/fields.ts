import {
  MULTIFAMILY_FIELDS,
  PROPERTY_FIELDS,
  RENTAL_FIELDS,
} from '../../../../src/domain/property-attributes.ts';
import { featureField, type OwnFeature } from '../../../../src/domain/own-features.ts';
import { isPropertyType, PROPERTY_TYPE_LABELS } from '../../../../src/domain/property-types.ts';
import { CONDITION_LABELS, labelOf } from '../../../../src/domain/field-words.ts';
import type { RequestField } from '../../../../src/domain/request-field.ts';
import type { Choice } from '../../parts/field.tsx';

export {
  isFeature,
  labelOf,
  readableMessage,
  roomsText,
  wordOf,
} from '../../../../src/domain/field-words.ts';

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

const CONDITIONS = CONDITION_LABELS.map((label, value) => ({ value: String(value), label })).slice(1);

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
  const {
    type,
    minimum = 0,
    maximum = Infinity,
    formMinimum,
    formMaximum,
    step = 1,
    unit,
    hasSlider,
  } = field;
  if (type === 'boolean') return { kind: 'yes-no' };
  if (type === 'condition') return { kind: 'choice', choices: CONDITIONS };
  if (type === 'choice') return { kind: 'choice', choices: (field.choices ?? []).map(typeChoice) };
  return {
    kind: 'number',
    min: formMinimum ?? minimum,
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
