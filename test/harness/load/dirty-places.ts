import type { Check } from '../../../src/load/checks/finding.ts';
import {
  changed,
  CLEAN,
  csv,
  dms,
  grouped,
  located,
  pointOf,
  renamed,
  windows1252,
  without,
} from './clean-sales.ts';

/** `right`: the values are those of the clean file. A check or a message: nothing is loaded. */
type Outcome = 'right' | Check | RegExp;

export type DirtyFile = readonly [fault: string, bytes: string | Buffer, outcome: Outcome];

/** Faults of coordinates, ids and text. */
export const DIRTY_PLACES: readonly DirtyFile[] = [
  ['swapped coordinates', located(({ latitude, longitude }) => [longitude, latitude]), 'swapped_coordinates'],
  [
    'swapped coordinates without sign',
    located(({ latitude, longitude }) => [longitude.slice(1), latitude]),
    'swapped_coordinates',
  ],
  ['no minus', changed('longitude', (text) => text.slice(1)), 'wrong_sign'],
  ['no minus in some rows', changed('longitude', (text, i) => (i % 9 ? text : text.slice(1))), 'wrong_sign'],
  [
    'state plane',
    located((_, i) => [String(1_600_000 + 311 * i), String(3_100_000 + 97 * i)]),
    'projected_coordinates',
  ],
  [
    'millionths of degrees',
    located(({ latitude, longitude }) => [`${Number(latitude) * 1e6}`, `${Number(longitude) * 1e6}`]),
    'projected_coordinates',
  ],
  [
    'degrees, minutes and seconds',
    located(({ latitude, longitude }) => [`${dms(latitude)} N`, `${dms(longitude)} W`]),
    'right',
  ],
  ['degrees with hyphens', located((_, i) => [`38-26-${i} N`, `105-13-${i} W`]), 'degrees_minutes_seconds'],
  ['a point in each column', located((row) => [pointOf(row), pointOf(row)]), 'right'],
  [
    'points in one column',
    csv(without(CLEAN, 'latitude', 'longitude').map((row, i) => ({ ...row, geom: pointOf(CLEAN[i]) }))),
    /missing_columns.*"geom" has both.*\{ "latitude": "geom", "longitude": "geom" \}/s,
  ],
  [
    'degrees in X and Y',
    renamed({ latitude: 'Y', longitude: 'X' }),
    /missing_columns.*\{ "latitude": "Y" \}.*\{ "longitude": "X" \}/s,
  ],
  ['a home in another state', changed('latitude', (text, i) => (i === 7 ? '47.6' : text)), 'far_coordinates'],
  ['coordinates of the ZIP code', located(() => ['38.4400', '-105.2200']), 'shared_coordinates'],
  [
    'coordinates of one decimal',
    located(({ latitude, longitude }) => [latitude.slice(0, 4), longitude.slice(0, 6)]),
    'shared_coordinates',
  ],
  ['parcel ids with decimals', changed('parcel_id', (text) => `${text}.0`), 'rounded_ids'],
  ['parcel ids with commas', changed('parcel_id', (text) => grouped(text, ',')), 'rounded_ids'],
  ['rounded parcel ids', changed('parcel_id', (text) => `${text[0]}.${text.slice(1, 3)}E+09`), 'rounded_ids'],
  [
    'parcel ids of which some lost their zeros',
    changed('parcel_id', (text, i) => (i % 9 ? text : text.slice(1))),
    'lost_zeros',
  ],
  [
    'document numbers of which some lost their zeros',
    csv(CLEAN.map((row, i) => ({ record_id: i % 9 ? `2021${10_000 + i}` : `21${10_000 + i}`, ...row }))),
    'lost_zeros',
  ],
  ['parcel ids that lost their last digits', changed('parcel_id', () => '4170100000'), 'shared_parcel_ids'],
  [
    'garbled text',
    Buffer.from(windows1252(Buffer.from(csv(CLEAN)).toString('latin1')).toString('latin1')),
    'garbled_text',
  ],
  ['DOS', windows1252(csv(CLEAN).replaceAll('é', '\x82').replaceAll('ñ', '\xa4')), 'garbled_text'],
  ['Macintosh', windows1252(csv(CLEAN).replaceAll('é', '\x8e').replaceAll('ñ', '\x96')), 'garbled_text'],
  ['question marks', csv(CLEAN).replaceAll(/[éñ]/g, '?'), 'garbled_text'],
  ['characters of HTML', csv(CLEAN).replaceAll('é', '&eacute;').replaceAll('ñ', '&ntilde;'), 'garbled_text'],
  ['lost characters', csv(CLEAN).replaceAll('é', '\ufffd').replaceAll('ñ', '\ufffd'), 'garbled_text'],
];
