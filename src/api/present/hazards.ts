import type { Static } from 'typebox';
import type { FireRiskAnswer } from '../../operations/places/fire-risk.ts';
import type { FloodZoneAnswer } from '../../operations/places/flood-zone.ts';
import { presentLocation } from './address.ts';
import type * as wire from '../../schemas/hazards.ts';

export function presentFireRisk(answer: FireRiskAnswer): Static<typeof wire.FireRiskBody> {
  return {
    location_info: presentLocation(answer.addressInfo),
    fire_risk: presentFireRiskData(answer),
    warnings: answer.warnings.map((warning) => ({ ...warning })),
  };
}

export function presentFireRiskData(answer: FireRiskAnswer): Static<typeof wire.FireRiskData> {
  const { probability, risk, dataSource, lat, lon } = answer;
  return {
    has_fire_risk: probability !== null,
    risk_value: probability,
    risk_level: risk.level,
    risk_category: risk.category,
    risk_category_display: risk.categoryDisplay,
    description: risk.description,
    data_source: dataSource,
    annual_chance: risk.annualChance,
    return_period_years: risk.returnPeriodYears,
    location: { latitude: lat, longitude: lon },
  };
}

export function presentFloodZone(answer: FloodZoneAnswer): Static<typeof wire.FloodZoneBody> {
  return {
    location_info: presentLocation(answer.addressInfo),
    fema_flood_zone: presentFloodZoneData(answer),
    warnings: answer.warnings.map((warning) => ({ ...warning })),
  };
}

export function presentFloodZoneData({ zone }: FloodZoneAnswer): Static<typeof wire.FloodZoneData> {
  const isSfha = zone?.hazard.isSfha ?? null;
  return {
    version_id: zone?.area.versionId ?? null,
    fld_ar_id: zone?.area.areaId ?? null,
    study_typ: zone?.area.studyType ?? null,
    fld_zone: zone?.area.zone ?? null,
    zone_subty: zone?.area.zoneSubtype ?? null,
    sfha_tf: isSfha === null ? null : isSfha ? 'T' : 'F',
    static_bfe: zone?.area.staticBfe ?? null,
    v_datum: zone?.area.verticalDatum ?? null,
    len_unit: zone?.area.lengthUnit ?? null,
    source_cit: zone?.area.sourceCitation ?? null,
    user_label: zone?.hazard.label ?? null,
    annual_risk: zone?.hazard.annualRisk ?? null,
    sfha: isSfha,
  };
}
