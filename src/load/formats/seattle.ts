import type { CellOf } from '../rows/mapping.ts';

/** Source columns that changed their names in 2024. */
const UNTIL_2024 = {
  time: 'offense start datetime',
  code: 'offense code',
  name: 'offense',
  address: '100 block address',
};
const SINCE_2024: typeof UNTIL_2024 = {
  time: 'offense date',
  code: 'nibrs_offense_code',
  name: 'nibrs offense code description',
  address: 'block address',
};

/**
 * The Seattle Police Department's "SPD Crime Data: 2008-Present". A report with several offenses has a row for each,
 * all with its number.
 */
export const SEATTLE = {
  crime: [UNTIL_2024, SINCE_2024].map((names) => ({
    needs: ['report number', 'longitude', 'latitude', ...Object.values(names)],
    read: (source: CellOf) => ({
      incident_id: source('report number'),
      occurred_at: source(names.time),
      offense_code: source(names.code),
      offense_name: source(names.name),
      address: known(source(names.address)),
      city: 'Seattle',
      state_code: 'WA',
      ...pointOf(source),
      agency: 'Seattle Police Department',
      time_zone: 'America/Los_Angeles',
    }),
  })),
};

/** The department writes REDACTED for what it withholds, and places it at 0,0 or −1,−1. */
function known(text: string): string {
  return text === 'REDACTED' ? '' : text;
}

function pointOf(source: CellOf): { latitude: string; longitude: string } {
  const latitude = known(source('latitude'));
  const longitude = known(source('longitude'));
  const isNowhere = [latitude, longitude].some((text) => text === '' || Math.abs(Number(text)) <= 1);
  return isNowhere ? { latitude: '', longitude: '' } : { latitude, longitude };
}
