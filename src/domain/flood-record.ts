import type { FloodArea } from './flood-zone.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** A studied place, whether or not a flood area covers it. */
export const STUDIED = 'studied';

/** The record id of an area in a market's flood layer. */
export function floodRecordOf(area: FloodArea): JsonObject {
  return {
    dfirm_id: area.dfirmId,
    version_id: area.versionId,
    fld_ar_id: area.areaId,
    study_typ: area.studyType,
    fld_zone: area.zone,
    zone_subty: area.zoneSubtype,
    static_bfe: area.staticBfe,
    v_datum: area.verticalDatum,
    len_unit: area.lengthUnit,
    source_cit: area.sourceCitation,
  };
}

/** The record id of a studied place: its study and its own identifier. */
export function studiedRecordOf(dfirmId: string | null, areaId: string | null): JsonObject {
  return { kind: STUDIED, dfirm_id: dfirmId, area_id: areaId };
}

/** A record of the layer, parsed. */
export function readFloodRecord(record: JsonObject): FloodArea | typeof STUDIED {
  if (typeof record.fld_zone !== 'string') return STUDIED;
  return {
    dfirmId: textOf(record.dfirm_id),
    versionId: textOf(record.version_id),
    areaId: textOf(record.fld_ar_id),
    studyType: textOf(record.study_typ),
    zone: record.fld_zone,
    zoneSubtype: textOf(record.zone_subty),
    staticBfe: typeof record.static_bfe === 'number' ? record.static_bfe : null,
    verticalDatum: textOf(record.v_datum),
    lengthUnit: textOf(record.len_unit),
    sourceCitation: textOf(record.source_cit),
  };
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
