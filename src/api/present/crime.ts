import type { Static } from 'typebox';
import { offenceOfCode } from '../../domain/crime/nibrs-offences.ts';
import { formatDay, type Day } from '../../domain/day.ts';
import type { CrimeData } from '../../operations/places/crime-data.ts';
import type { NearIncident } from '../../places/crime.ts';
import { presentLocation } from './address.ts';
import type * as wire from '../../schemas/crime.ts';

export function presentCrimeData(data: CrimeData): Static<typeof wire.CrimeDataBody> {
  const { query, summary, coverage } = data;
  return {
    query: {
      latitude: query.lat,
      longitude: query.lon,
      radius_mi: query.radiusMi,
      start: dayText(query.start),
      end: dayText(query.end),
      categories: query.categories && [...query.categories],
      limit: query.limit,
    },
    crime_instances: data.incidents.map(presentIncident),
    summary: summary && {
      total: summary.total,
      by_category: { ...summary.byCategory },
      by_severity: { ...summary.bySeverity },
    },
    meta: {
      count: data.incidents.length,
      truncated: data.isTruncated,
      next_cursor: data.nextCursor,
      compute_ms: data.computeMs,
      coverage: {
        agencies: coverage.agencies.map(({ name }) => name),
        from: dayText(coverage.from),
        to: dayText(coverage.to),
        periods: coverage.agencies.map(({ name, from, to }) => ({
          agency: name,
          from: dayText(from),
          to: dayText(to),
        })),
      },
    },
    location_info: presentLocation(data.addressInfo),
    warnings: data.warnings.map((warning) => ({ ...warning })),
  };
}

function dayText(day: Day | null): string | null {
  return day === null ? null : formatDay(day);
}

function presentIncident(incident: NearIncident): Static<typeof wire.CrimeRecord> {
  const { persons } = incident;
  const offence = incident.offenceCode === null ? null : offenceOfCode(incident.offenceCode);
  return {
    id: incident.id,
    datetime: incident.occurred?.text ?? null,
    lat: incident.lat,
    lon: incident.lon,
    distance_mi: incident.distanceMi,
    offense_code: incident.offenceCode,
    offense_category: offence?.category ?? null,
    offense_description: offence?.description ?? incident.offenceText,
    severity: offence?.severity ?? null,
    crime_type: offence?.type ?? null,
    address: incident.address,
    agency: incident.agency,
    victim_sex: persons?.victimSex ?? null,
    victim_race: persons?.victimRace ?? null,
    victim_age_group: persons?.victimAgeGroup ?? null,
    offender_sex: persons?.offenderSex ?? null,
    offender_race: persons?.offenderRace ?? null,
    offender_age_group: persons?.offenderAgeGroup ?? null,
    crime_against: offence?.crimeAgainst ?? null,
    reference_id: incident.referenceId,
  };
}
