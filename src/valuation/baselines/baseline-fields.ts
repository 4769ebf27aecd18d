import { ATTRIBUTE_TABLE, type Attribute } from '../../domain/property-attributes.ts';
import type { AttributeDefinition } from '../../domain/request-field.ts';

/** The attributes that every baseline sees, besides type, place and day: those that most markets record. */
export const BASELINE_FIELDS: readonly Attribute[] = ATTRIBUTE_TABLE.filter(
  (row: AttributeDefinition) => row.isCommon,
).map(({ key }) => key);
