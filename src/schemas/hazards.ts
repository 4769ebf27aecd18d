import { Type } from 'typebox';
import { FIRE_CATEGORIES } from '../domain/fire-risk.ts';
import { LocationInfo, Warning } from './address-info.ts';
import { answer } from './response-object.ts';
import { Location } from './location.ts';
import { nullableBoolean, nullableInteger, nullableNumber, nullableString, oneOf } from './members.ts';

export const HazardRequestBody = Type.Object({ location: Location }, { title: 'HazardRequest' });

const Warnings = Type.Array(Warning, { description: 'What did not stop the answer.' });

export const FireRiskData = answer('FireRiskData', {
  has_fire_risk: Type.Boolean({ description: 'Whether a map that is loaded has data for the place.' }),
  risk_value: nullableNumber({
    description:
      'Annual burn probability, 0 to 1, as published: the chance that the map’s cell burns, not that a house is lost.',
  }),
  risk_level: Type.Integer({
    description: '0 at zero (and without data), then a level for each third of a decade.',
    minimum: 0,
    maximum: 11,
    default: 0,
  }),
  risk_category: oneOf(FIRE_CATEGORIES, {
    description: 'The Forest Service’s five classes; `none` at zero, `unknown` without data.',
  }),
  risk_category_display: Type.String({ description: 'The category, for people.' }),
  description: Type.String({ description: 'What it means, in sentences.' }),
  data_source: nullableString({ description: 'Who published the map.' }),
  annual_chance: nullableString({ description: 'As "1-in-N"; null at zero and without data.' }),
  return_period_years: nullableInteger({
    description: 'Years between fires, on average; null at zero and without data.',
  }),
  location: Type.Unsafe<{ latitude: number; longitude: number } | null>({
    title: 'FireRiskLocation',
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['latitude', 'longitude'],
    properties: {
      latitude: Type.Number({ description: 'Degrees north (WGS 84).' }),
      longitude: Type.Number({ description: 'Degrees east (WGS 84).' }),
    },
  }),
});

export const FireRiskBody = answer('FireRisk', {
  location_info: LocationInfo,
  fire_risk: FireRiskData,
  warnings: Warnings,
});

export const FloodZoneData = answer(
  'FloodZoneData',
  {
    version_id: nullableString({ description: 'Version of the flood map.' }),
    fld_ar_id: nullableString({ description: 'Flood area.' }),
    study_typ: nullableString({ description: 'Type of study.' }),
    fld_zone: nullableString({ description: 'Zone: A, AE, VE, X, …' }),
    zone_subty: nullableString({
      description: 'What more is said of the zone: floodway, and why a zone X is shaded.',
    }),
    sfha_tf: nullableString({ description: 'Special flood hazard area: T or F.' }),
    static_bfe: nullableNumber({ description: 'Base flood elevation, in `len_unit` above `v_datum`.' }),
    v_datum: nullableString({ description: 'Vertical datum.' }),
    len_unit: nullableString({ description: 'Unit of length.' }),
    source_cit: nullableString({ description: 'Source citation.' }),
    user_label: nullableString({ description: 'The risk, for people.' }),
    annual_risk: nullableString({ description: 'Annual chance of a flood, "1%" or "0.2%".' }),
    sfha: nullableBoolean({ description: 'Whether it is a special flood hazard area.' }),
  },
  'Everything is null outside the map.',
);

export const FloodZoneBody = answer('FloodZone', {
  location_info: LocationInfo,
  fema_flood_zone: FloodZoneData,
  warnings: Warnings,
});
