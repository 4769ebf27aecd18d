import { formatDay, parseDay, type Day } from './day.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** One row of the National Flood Hazard Layer's S_FLD_HAZ_AR, as published; null if unknown. */
export interface FloodArea {
  /** The study (county or community) that contains `areaId`. */
  readonly dfirmId: string | null;
  readonly versionId: string | null;
  readonly areaId: string | null;
  readonly studyType: string | null;
  readonly zone: string;
  readonly zoneSubtype: string | null;
  readonly staticBfe: number | null;
  readonly verticalDatum: string | null;
  readonly lengthUnit: string | null;
  readonly sourceCitation: string | null;
}

/** The meaning of a zone. If areas overlap, the one with the highest rank is used. */
interface FloodHazard {
  readonly rank: number;
  readonly isSfha: boolean;
  readonly annualRisk: string | null;
  readonly label: string;
}

const HAZARDS = {
  coastal: { rank: 6, isSfha: true, annualRisk: '1%', label: 'Very High Risk' },
  special: { rank: 5, isSfha: true, annualRisk: '1%', label: 'High Risk' },
  moderate: { rank: 4, isSfha: false, annualRisk: '0.2%', label: 'Moderate Risk' },
  // In zone D floods are possible but not studied. It ranks above zones that were found to be low risk.
  undetermined: { rank: 3, isSfha: false, annualRisk: null, label: 'Undetermined Risk' },
  low: { rank: 2, isSfha: false, annualRisk: null, label: 'Low Risk' },
  water: { rank: 1, isSfha: false, annualRisk: null, label: 'Undetermined Risk' },
  notIncluded: { rank: 0, isSfha: false, annualRisk: null, label: 'Undetermined Risk' },
} as const satisfies Record<string, FloodHazard>;

/** Codes as published, including those of maps from before 1986 (A1 to A30, V1 to V30, B, C). */
const CODES: readonly (readonly [RegExp, FloodHazard])[] = [
  [/^(V|VE|V\d{1,2})$/, HAZARDS.coastal],
  [/^(A|AE|AH|AO|AR|A\d{1,2}|AR\/[A-Z0-9]+)$/, HAZARDS.special],
  [/^(B|X500|X \(?SHADED\)?|X PROTECTED BY LEVEE|0\.2 PCT ANNUAL CHANCE FLOOD HAZARD)$/, HAZARDS.moderate],
  [/^D$/, HAZARDS.undetermined],
  [/^(C|X \(?UNSHADED\)?|AREA OF MINIMAL FLOOD HAZARD)$/, HAZARDS.low],
  [/^OPEN WATER$/, HAZARDS.water],
  [/^(AREA NOT INCLUDED|ANI)$/, HAZARDS.notIncluded],
];

/** The meaning of a zone and its subtype; null for codes that the layer does not define. */
export function floodHazardOf(zone: string, zoneSubtype: string | null): FloodHazard | null {
  const code = zone.trim().toUpperCase();
  if (code !== 'X') return CODES.find(([pattern]) => pattern.test(code))?.[1] ?? null;
  return isShaded(zoneSubtype) ? HAZARDS.moderate : HAZARDS.low;
}

/** All subtypes of zone X are shaded on the map but one: minimal hazard, which older files leave blank. */
function isShaded(zoneSubtype: string | null): boolean {
  const subtype = zoneSubtype?.trim().toUpperCase() ?? '';
  return subtype !== '' && !subtype.includes('MINIMAL');
}

/**
 * Negative if `a` is used rather than `b` where both contain a point: the higher hazard, then the floodway,
 * the higher base flood elevation, the lower identifier. The order of files does not matter.
 */
export function compareFloodAreas(a: FloodArea, b: FloodArea): number {
  return (
    rankOf(b) - rankOf(a) ||
    Number(isFloodway(b)) - Number(isFloodway(a)) ||
    compareNumbers(b.staticBfe ?? -Infinity, a.staticBfe ?? -Infinity) ||
    compareTexts(a.dfirmId ?? '', b.dfirmId ?? '') ||
    compareTexts(a.areaId ?? '', b.areaId ?? '')
  );
}

function rankOf(area: FloodArea): number {
  return floodHazardOf(area.zone, area.zoneSubtype)?.rank ?? -1;
}

function isFloodway(area: FloodArea): boolean {
  return area.zoneSubtype?.toUpperCase().includes('FLOODWAY') ?? false;
}

function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An area as a record of a market's flood layer. */
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

/** A studied place as such a record: its study and its own identifier. */
export function studiedRecordOf(dfirmId: string | null, areaId: string | null): JsonObject {
  return { kind: 'studied', dfirm_id: dfirmId, area_id: areaId };
}

/** The record with the day on which its map took effect, where the publisher gives it (panels do). */
export function withEffectiveDay(record: JsonObject, day: Day | null): JsonObject {
  return day === null ? record : { ...record, eff_date: formatDay(day) };
}

/** The first day on which the map of a record was in effect; −Infinity where the publisher gives none. */
export function effectiveOn({ eff_date: text }: JsonObject): Day {
  return (typeof text === 'string' ? parseDay(text) : null) ?? -Infinity;
}

/** A record of the layer, parsed; null for a studied place, whether or not a flood area covers it. */
export function readFloodRecord(record: JsonObject): FloodArea | null {
  if (typeof record.fld_zone !== 'string') return null;
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
