import type { FormatLayouts, Layout, SourceCell } from './layout.ts';

/** The Seattle Police Department's "SPD Crime Data: 2008-Present", in the columns of before and after its change of 2024. */
export const SEATTLE: FormatLayouts = {
  crime: [
    layoutOf(
      {
        time: 'offense start datetime',
        code: 'offense code',
        name: 'offense',
        address: '100 block address',
      },
      ['report number', 'longitude', 'latitude'],
    ),
    layoutOf(
      {
        time: 'offense date',
        code: 'nibrs_offense_code',
        name: 'nibrs offense code description',
        address: 'block address',
      },
      ['report number', 'longitude', 'latitude'],
    ),
  ],
};

interface Names {
  readonly time: string;
  readonly code: string;
  readonly name: string;
  readonly address: string;
}

/** A report with several offenses has a row for each, all with its number. */
function layoutOf(names: Names, others: readonly string[]): Layout {
  return {
    needs: [...others, ...Object.values(names)],
    gives: [
      'incident_id',
      'occurred_at',
      'offense_code',
      'offense_name',
      'address',
      'city',
      'state_code',
      'latitude',
      'longitude',
      'agency',
      'time_zone',
    ],
    read: (row) => ({
      incident_id: row('report number'),
      occurred_at: row(names.time),
      offense_code: row(names.code),
      offense_name: row(names.name),
      address: known(row(names.address)),
      city: 'Seattle',
      state_code: 'WA',
      ...pointOf(row),
      agency: 'Seattle Police Department',
      time_zone: 'America/Los_Angeles',
    }),
  };
}

/** What the department withholds it calls REDACTED, and places at 0,0 or −1,−1. */
function known(text: string): string {
  return text === 'REDACTED' ? '' : text;
}

function pointOf(row: SourceCell): { latitude: string; longitude: string } {
  const latitude = known(row('latitude'));
  const longitude = known(row('longitude'));
  const isNowhere = [latitude, longitude].some((text) => text === '' || Math.abs(Number(text)) <= 1);
  return isNowhere ? { latitude: '', longitude: '' } : { latitude, longitude };
}
