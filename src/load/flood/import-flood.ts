import { yearMonthOf, type Day } from '../../domain/day.ts';
import { floodHazardOf, floodRecordOf, studiedRecordOf, withEffectiveDay } from '../../domain/flood-zone.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Feature, FeatureValue } from '../features/feature.ts';
import { importAreas } from '../import-areas.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../import-options.ts';
import { reject, skip } from '../rejections.ts';
import { dateOf, lastDayOf } from '../rows/cell-values.ts';

/**
 * Imports flood areas, and with `availability` the places that have a flood study. The publisher keeps identifiers
 * through editions of a study, so they replace areas. Several areas may share one, where an extract cut them apart.
 */
export async function importFlood(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  const { availability } = options;
  const files = availability == null ? options.files : [...options.files, availability];
  const all = { ...options, files };
  return importAreas(deps, all, {
    kind: 'flood',
    read: (properties, path) =>
      path === availability ? readStudiedArea(properties) : readFloodArea(properties),
    keyOf: ({ kind, dfirm_id, fld_ar_id, area_id }) =>
      JSON.stringify([kind ?? null, dfirm_id ?? null, fld_ar_id ?? area_id ?? null]),
    sharesKeys: true,
  });
}

/** What the publisher writes for "not known" and "does not apply": in numbers, and in texts. */
const NOT_KNOWN_NUMBERS = [-9999, -8888];
const NOT_KNOWN_TEXTS = ['', 'NP', '-9999', '-8888'];

/** Reads a row of S_FLD_HAZ_AR, with field names in any case. */
function readFloodArea(properties: Feature['properties']): JsonObject {
  const fields = fieldsOf(properties);
  const zone = fields.text('FLD_ZONE') ?? reject('missing', 'FLD_ZONE', '');
  const zoneSubtype = fields.text('ZONE_SUBTY');
  if (floodHazardOf(zone, zoneSubtype) === null) reject('unknown_flood_zone', 'FLD_ZONE', zone);
  const record = floodRecordOf({
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
  return withEffectiveDay(record, effectiveDayOf(fields));
}

/** The last year of the publisher's dates; later ones, such as 8/8/8888, mean that there is none. */
const LAST_YEAR = 2100;

function effectiveDayOf({ text }: ReturnType<typeof fieldsOf>): Day | null {
  const date = dateOf(text('EFF_DATE') ?? '', 'EFF_DATE');
  return date && yearMonthOf(date.day).year <= LAST_YEAR ? lastDayOf(date) : null;
}

/** Panels that do not show minimal hazard: never mapped, left out, or of undetermined hazard as a whole. */
const NOT_STUDIED = /UNMAPPED|NOT INCLUDED|ZONE D/i;

/** Reads a row of S_POL_AR (jurisdictions), S_FIRM_PAN (panels), or another layer of areas that were studied. */
function readStudiedArea(properties: Feature['properties']): JsonObject {
  const fields = fieldsOf(properties);
  if (fields.text('ANI_TF') === 'T') skip('not_studied', 'ANI_TF', 'T');
  for (const name of ['PANEL_TYP', 'PNP_REASON']) {
    const text = fields.text(name);
    if (text !== null && NOT_STUDIED.test(text)) skip('not_studied', name, text);
  }
  const record = studiedRecordOf(
    fields.text('DFIRM_ID'),
    fields.text('POL_AR_ID') ?? fields.text('FIRM_PAN'),
  );
  return withEffectiveDay(record, effectiveDayOf(fields));
}

function fieldsOf(properties: Feature['properties']) {
  const byName = new Map(Object.entries(properties).map(([name, value]) => [name.toUpperCase(), value]));
  return {
    text: (name: string): string | null => {
      const text = textOf(byName.get(name) ?? null);
      if (/\p{Cc}/u.test(text)) reject('control_character', name, text);
      return NOT_KNOWN_TEXTS.includes(text) ? null : text;
    },
    number: (name: string): number | null => {
      const value = byName.get(name) ?? '';
      if (value === '') return null;
      const number = typeof value === 'string' ? Number(value.trim()) : value;
      if (typeof number === 'number' && Number.isFinite(number)) {
        return NOT_KNOWN_NUMBERS.includes(number) ? null : number;
      }
      return reject('not_a_number', name, String(value));
    },
  };
}

/** Flags may be text (T, F) or, in a shapefile's table, true and false. */
function textOf(value: FeatureValue): string {
  if (typeof value === 'boolean') return value ? 'T' : 'F';
  return value === null ? '' : String(value).trim();
}
