import { skip } from '../rows/row-rejection.ts';
import type { Layout } from './layout.ts';

const OFFENSES = ['offense1', 'offense2', 'offense3', 'offense4', 'offense5'];

/**
 * The Milwaukee Police Department's incidents with up to five offenses by name, date and time of the clock on the
 * wall, and the exact address. An incident that goes on in further rows repeats its number.
 */
export const MILWAUKEE_CRIME: readonly Layout[] = [
  {
    needs: ['incident_n', 'cdate', 'ctime', 'offense1', 'location', 'latitude', 'longitude'],
    gives: [
      'incident_id',
      'occurred_at',
      'offense_name',
      'address',
      'city',
      'state_code',
      'latitude',
      'longitude',
      'agency',
      'time_zone',
    ],
    read: (row) => {
      const offenses = OFFENSES.map(row).filter((name) => name !== '');
      // The search page that wrote the file ends it with "Total Records: 42489" and what was searched.
      if (offenses.length === 0 && row('cdate') === '')
        skip('not_an_incident', 'incident_id', row('incident_n'));
      return {
        incident_id: row('incident_n'),
        occurred_at: `${row('cdate')} ${row('ctime')}`,
        offense_name: offenses.join(';'),
        address: row('location'),
        city: 'Milwaukee',
        state_code: 'WI',
        latitude: row('latitude'),
        longitude: row('longitude'),
        agency: 'Milwaukee Police Department',
        time_zone: 'America/Chicago',
      };
    },
  },
];
