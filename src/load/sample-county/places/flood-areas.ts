import type { JsonObject } from '../../../domain/json.ts';
import { PLACE } from '../town/town-plan.ts';
import { countyRing, lakeRing, riverRing, type Ring } from '../town/town-shapes.ts';
import { geoJsonLines, type AreaFeature } from './geojson.ts';
import { polygonsOf } from './polygons.ts';
import type { SampleFile } from './sample-file.ts';

const DFIRM_ID = `${PLACE.stateFips}${PLACE.countyFips}C`;

/** How high the flood of 1 % a year stands in the lake; the plain here lies at about 3,900 ft. */
const LAKE_BFE_FT = 3912;

/** How far each zone reaches beyond the banks of the river and the shore of the lake. */
const REACH_FT = { floodway: 60, river: 230, lake: 130, riverShaded: 420, lakeShaded: 260 } as const;

export interface Zone {
  readonly zone: string;
  readonly subtype: string | null;
  readonly bfeFt: number | null;
  readonly ring: Ring;
}

/**
 * The flood map: areas lie upon each other like sheets, as the maps of neighbouring studies do, and the highest hazard
 * answers. The lake has one level, and so a base flood elevation; a river's changes along it and is given elsewhere.
 */
export function floodZones(): Zone[] {
  return [
    { zone: 'AE', subtype: 'FLOODWAY', bfeFt: null, ring: riverRing(REACH_FT.floodway) },
    { zone: 'AE', subtype: null, bfeFt: null, ring: riverRing(REACH_FT.river) },
    { zone: 'AE', subtype: null, bfeFt: LAKE_BFE_FT, ring: lakeRing(REACH_FT.lake) },
    { zone: 'X', subtype: SHADED, bfeFt: null, ring: riverRing(REACH_FT.riverShaded) },
    { zone: 'X', subtype: SHADED, bfeFt: null, ring: lakeRing(REACH_FT.lakeShaded) },
    { zone: 'X', subtype: 'AREA OF MINIMAL FLOOD HAZARD', bfeFt: null, ring: countyRing() },
  ];
}

const SHADED = '0.2 PCT ANNUAL CHANCE FLOOD HAZARD';
/** What the publisher writes for "not known". */
const NO_NUMBER = -9999;

/** A file of S_FLD_HAZ_AR. As a county's own, it covers low risk too: what lies outside it was not studied. */
export function floodAreaFile(): SampleFile {
  const features = floodZones().map(({ zone, subtype, bfeFt, ring }, at): AreaFeature => {
    const properties: JsonObject = {
      DFIRM_ID,
      VERSION_ID: '1.1.1.0',
      FLD_AR_ID: `${DFIRM_ID}_${at + 1}`,
      STUDY_TYP: 'NP',
      FLD_ZONE: zone,
      ZONE_SUBTY: subtype,
      SFHA_TF: zone === 'AE' ? 'T' : 'F',
      STATIC_BFE: bfeFt ?? NO_NUMBER,
      V_DATUM: bfeFt === null ? null : 'NAVD88',
      LEN_UNIT: bfeFt === null ? null : 'Feet',
      SOURCE_CIT: `${DFIRM_ID}_GENERATED`,
    };
    return { properties, polygons: polygonsOf([ring]) };
  });
  return { name: 'generated-S_FLD_HAZ_AR.geojson', chunks: geoJsonLines('S_FLD_HAZ_AR', features) };
}
