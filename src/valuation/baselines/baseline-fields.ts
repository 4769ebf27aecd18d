import type { Attribute } from '../../domain/property.ts';

/** What a request can carry and most markets know: the attributes that every baseline sees, beside type, place and day. */
export const BASELINE_FIELDS = [
  'totalUnits',
  'bedrooms',
  'bathrooms',
  'livingAreaSqft',
  'lotSizeSqft',
  'yearBuilt',
  'stories',
] as const satisfies readonly Attribute[];
