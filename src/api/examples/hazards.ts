import type { Static } from 'typebox';
import { EXAMPLE_LOCATION, EXAMPLE_PLACE } from './example-place.ts';
import type { FireRiskBody, FloodZoneBody, HazardRequestBody } from '../../schemas/hazards.ts';

const request: Static<typeof HazardRequestBody> = { location: EXAMPLE_LOCATION };

const fireRisk: Static<typeof FireRiskBody> = {
  location_info: EXAMPLE_PLACE,
  fire_risk: {
    has_fire_risk: true,
    risk_value: 0.003199999919161201,
    risk_level: 6,
    risk_category: 'moderate',
    risk_category_display: 'Moderate',
    description:
      'Level 6 of 11: the map gives this location a 1-in-312 chance of burning in a year. This is the chance of the map cell burning, not of a house being lost.',
    data_source: 'USDA Forest Service',
    annual_chance: '1-in-312',
    return_period_years: 312,
    location: { latitude: 41.996009, longitude: -101.603871 },
  },
  warnings: [],
};

const floodZone: Static<typeof FloodZoneBody> = {
  location_info: EXAMPLE_PLACE,
  fema_flood_zone: {
    version_id: '2.6.3.6',
    fld_ar_id: '99001C_118',
    study_typ: 'SFHA with BFE and floodway',
    fld_zone: 'AE',
    zone_subty: 'FLOODWAY',
    sfha_tf: 'T',
    static_bfe: 781.5,
    v_datum: 'NAVD88',
    len_unit: 'Feet',
    source_cit: '99001C_STUDY1',
    user_label: 'High Risk',
    annual_risk: '1%',
    sfha: true,
  },
  warnings: [],
};

/** Examples by the title of the schema they follow. */
export const HAZARD_EXAMPLES = { HazardRequest: request, FireRisk: fireRisk, FloodZone: floodZone };
