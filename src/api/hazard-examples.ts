import type { Static } from 'typebox';
import type { FireRiskBody, FloodZoneBody, HazardRequestBody } from './schemas/hazards.ts';

const request: Static<typeof HazardRequestBody> = { location: { address: '412 Alder St, Fairmont' } };

/** Of no real place. */
const location_info = {
  formatted_address: '412 Alder St, Fairmont, WI 53999',
  street_address: '412 Alder St',
  city: 'Fairmont',
  state: 'Wisconsin',
  state_code: 'WI',
  county: null,
  postal_code: '53999',
  latitude: 43.5121,
  longitude: -89.3304,
  geohash8: 'dp8y0x2k',
  match_level: 'address' as const,
};

const fireRisk: Static<typeof FireRiskBody> = {
  location_info,
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
    location: { latitude: 43.5121, longitude: -89.3304 },
  },
  warnings: [],
};

const floodZone: Static<typeof FloodZoneBody> = {
  location_info,
  fema_flood_zone: {
    version_id: '2.6.3.6',
    fld_ar_id: '55999C_118',
    study_typ: 'SFHA with BFE and floodway',
    fld_zone: 'AE',
    zone_subty: 'FLOODWAY',
    sfha_tf: 'T',
    static_bfe: 781.5,
    v_datum: 'NAVD88',
    len_unit: 'Feet',
    source_cit: '55999C_STUDY1',
    user_label: 'High Risk',
    annual_risk: '1%',
    sfha: true,
  },
  warnings: [],
};

/** Examples by the title of the schema they follow. */
export const HAZARD_EXAMPLES = { HazardRequest: request, FireRisk: fireRisk, FloodZone: floodZone };
