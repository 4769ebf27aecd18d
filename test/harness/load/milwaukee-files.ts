import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const FOLDER = join(import.meta.dirname, '../../../../shared/data/milwaukee');
const SALES = 400;

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/**
 * Sales of Milwaukee as they are published, without coordinates, and the rows of the parcels and addresses that place them.
 * Real records, of which few make a test short.
 */
export function readMilwaukee():
  | { readonly sales: NamedText; readonly parcels: NamedText; readonly addresses: NamedText }
  | { readonly missing: string } {
  if (!existsSync(FOLDER)) return { missing: `${FOLDER} is not there: its README names the publisher` };
  const linesOf = (file: string): string[] =>
    gunzipSync(readFileSync(join(FOLDER, file)))
      .toString('utf8')
      .trim()
      .split(/\r?\n/);
  const [header, ...all] = linesOf('raw/armslengthsales_2022_valid_20230404.csv.gz');
  const homes = all.filter((line) => line.includes(',Residential,')).slice(0, SALES);
  const cellsOf = homes.map((line) => line.split(','));
  const keys = new Set(cellsOf.map((cells) => cells[2]));
  const streets = new Set(cellsOf.map((cells) => cells[3]));
  const keep = (file: string, wanted: ReadonlySet<string>): string => {
    const [head, ...lines] = linesOf(file);
    return [head, ...lines.filter((line) => wanted.has(line.split(',')[0]))].join('\n');
  };
  return {
    sales: { name: 'sales_2022.csv', text: [header, ...homes].join('\n') },
    parcels: { name: 'parcels_2021.csv', text: keep('parcels_2021.csv.gz', keys) },
    addresses: { name: 'addresses.csv', text: keep('addresses.csv.gz', streets) },
  };
}
