import { Type } from 'typebox';
import { FIRE_CATEGORIES } from '../domain/fire-risk.ts';
import { Location, LocationInfo, Warnings } from './location.ts';
import { boolean, nullable, number, oneOf, responseObject, string } from './members.ts';

export const HazardRequestBody = Type.Object({ location: Location }, { title: 'HazardRequest' });

export const FireRiskData = responseObject('FireRiskData', {
  has_fire_risk: boolean('Whether a loaded map has data for the place.'),
  risk_value: nullable.number(
    'Annual burn probability, 0 to 1, as published: of the map cell, not of the loss of a house.',
  ),
  risk_level: Type.Integer({
    description: '0 for zero (and without data), then one level per third of a decade.',
    minimum: 0,
    maximum: 11,
    default: 0,
  }),
  risk_category: oneOf(
    FIRE_CATEGORIES,
    'The Forest Service’s five classes; `none` for zero, `unknown` without data.',
  ),
  risk_category_display: string('The category, for people.'),
  description: string('The meaning, in sentences.'),
  data_source: nullable.string('Publisher of the map.'),
  annual_chance: nullable.string('As "1-in-N"; null for zero and without data.'),
  return_period_years: nullable.integer('Mean years between fires; null for zero and without data.'),
  location: nullable.object(
    responseObject('FireRiskLocation', {
      latitude: number('Degrees north (WGS 84).'),
      longitude: number('Degrees east (WGS 84).'),
    }),
  ),
});

export const FireRiskBody = responseObject('FireRisk', {
  location_info: LocationInfo,
  fire_risk: FireRiskData,
  warnings: Warnings,
});

export const FloodZoneData = responseObject(
  'FloodZoneData',
  {
    version_id: nullable.string('Version of the flood map.'),
    fld_ar_id: nullable.string('Flood area.'),
    study_typ: nullable.string('Type of study.'),
    fld_zone: nullable.string('Zone: A, AE, VE, X, …'),
    zone_subty: nullable.string('Subtype of the zone: a floodway, or why a zone X is shaded.'),
    sfha_tf: nullable.string('Special flood hazard area: T or F.'),
    static_bfe: nullable.number('Base flood elevation, in `len_unit` above `v_datum`.'),
    v_datum: nullable.string('Vertical datum.'),
    len_unit: nullable.string('Unit of length.'),
    source_cit: nullable.string('Source citation.'),
    user_label: nullable.string('The risk, for people.'),
    annual_risk: nullable.string('Annual chance of a flood, "1%" or "0.2%".'),
    sfha: nullable.boolean('Whether it is a special flood hazard area.'),
  },
  'All members are null outside the map.',
);

export const FloodZoneBody = responseObject('FloodZone', {
  location_info: LocationInfo,
  fema_flood_zone: FloodZoneData,
  warnings: Warnings,
});
