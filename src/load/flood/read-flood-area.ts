import { floodHazardOf, floodRecordOf, studiedRecordOf } from '../../domain/flood-zone.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Feature, FeatureValue } from '../features/feature.ts';
import { reject, skip } from '../rows/row-rejection.ts';

/** What the publisher writes for "not known" and "does not apply": in numbers, and in texts. */
const NOT_KNOWN_NUMBERS = [-9999, -8888];
const NOT_KNOWN_TEXTS = ['', 'NP', '-9999', '-8888'];

/** Reads a row of S_FLD_HAZ_AR, its field names in any case. */
export function readFloodArea(properties: Feature['properties']): JsonObject {
  const fields = fieldsOf(properties);
  const zone = fields.text('FLD_ZONE') ?? reject('missing', 'FLD_ZONE', '');
  const zoneSubtype = fields.text('ZONE_SUBTY');
  if (floodHazardOf(zone, zoneSubtype) === null) reject('unknown_flood_zone', 'FLD_ZONE', zone);
  return floodRecordOf({
    dfirmId: fields.text('DFIRM_ID'),
    versionId: fields.text('VERSION_ID'),
    areaId: fields.text('FLD_AR_ID'),
    studyType: fields.text('STUDY_TYP'),
    zone: zone.toUpperCase(),
    zoneSubtype,
    staticBfe: fields.number('STATIC_BFE'),
    verticalDatum: fields.text('V_DATUM'),
    lengthUnit: fields.text('LEN_UNIT'),
    sourceCitation: fields.text('SOURCE_CIT'),
  });
}

/** Panels that say nothing of minimal hazard: never mapped, left out, or of undetermined hazard as a whole. */
const NOT_STUDIED = /UNMAPPED|NOT INCLUDED|ZONE D/i;

/**
 * Reads a row of S_POL_AR (jurisdictions), of S_FIRM_PAN (panels), or of any layer of areas that the operator knows to
 * be studied.
 */
export function readStudiedArea(properties: Feature['properties']): JsonObject {
  const fields = fieldsOf(properties);
  if (fields.text('ANI_TF') === 'T') skip('not_studied', 'ANI_TF', 'T');
  for (const name of ['PANEL_TYP', 'PNP_REASON']) {
    const text = fields.text(name);
    if (text !== null && NOT_STUDIED.test(text)) skip('not_studied', name, text);
  }
  return studiedRecordOf(fields.text('DFIRM_ID'), fields.text('POL_AR_ID') ?? fields.text('FIRM_PAN'));
}

/** What a later import replaces an area by: the identifiers that the publisher keeps through editions. */
export function floodAreaKey(record: JsonObject): string {
  const { kind, dfirm_id, fld_ar_id, area_id } = record;
  return JSON.stringify([kind ?? null, dfirm_id ?? null, fld_ar_id ?? area_id ?? null]);
}

function fieldsOf(properties: Feature['properties']) {
  const byName = new Map(Object.entries(properties).map(([name, value]) => [name.toUpperCase(), value]));
  return {
    text: (name: string): string | null => {
      const value = byName.get(name);
      const text = textOf(value);
      if (/\p{Cc}/u.test(text)) reject('control_character', name, text);
      return NOT_KNOWN_TEXTS.includes(text) ? null : text;
    },
    number: (name: string): number | null => {
      const value = byName.get(name);
      if (value === null || value === undefined || value === '') return null;
      const number = typeof value === 'string' ? Number(value.trim()) : value;
      if (typeof number !== 'number' || !Number.isFinite(number))
        return reject('not_a_number', name, String(value));
      return NOT_KNOWN_NUMBERS.includes(number) ? null : number;
    },
  };
}

/** Flags may be text (T, F) or, in the table of a shapefile, true and false. */
function textOf(value: FeatureValue | undefined): string {
  if (typeof value === 'boolean') return value ? 'T' : 'F';
  return value === null || value === undefined ? '' : String(value).trim();
}
