/**
 * The sales of a made-up county as a publisher's spreadsheet may write them: semicolons, Windows-1252, `$` prices, three
 * forms of dates, parcel ids that a spreadsheet has rounded, some swapped coordinates, and unusual names of columns.
 */
export function countyFile(sales: number): Buffer {
  const header =
    'TAXKEY;SITUS_ADDR;MUNI;ZIP;SALE_DT;CONSIDERATION;Bdrm_Cnt;Full_Bths;Half_Bths;Fin_Area_SqFt;YR_BLT;Y_LAT;X_LONG;Roof;Remarks';
  const rows = Array.from({ length: sales }, (_, i) => rowOf(i).join(';'));
  return Buffer.from(`${[header, ...rows].join('\r\n')}\r\n`, 'latin1');
}

/** Every how many sales have swapped coordinates, or a price that is none. */
const SWAPPED_EVERY = 25;
const BAD_PRICE_EVERY = 40;

function rowOf(i: number): string[] {
  // The same in every run, and spread over the ranges.
  const share = (factor: number): number => (i * factor) % 1;
  const beds = 2 + Math.floor(share(0.618034) * 3);
  const area = 800 + Math.round(share(0.414214) * 1600);
  const built = 1900 + Math.floor(share(0.732051) * 110);
  const [lat, lon] = [44.5 + share(0.236068) * 0.05, -88 + share(0.645751) * 0.05].map((x) => x.toFixed(6));
  const price = Math.round((40_000 + area * 150 + (built - 1900) * 400) * (0.9 + share(0.302776) * 0.2));
  const point = i % SWAPPED_EVERY === 7 ? [lon, lat] : [lat, lon];
  return [
    `4.17E+${i % 2 === 0 ? '09' : '10'}`,
    `${100 + 4 * i} Peña St`,
    'Green Bay',
    '54301',
    dateOf(i),
    i % BAD_PRICE_EVERY === 3 ? 'see deed' : `$${price.toLocaleString('en-US')}`,
    String(beds),
    String(1 + (i % 2)),
    String(i % 3 === 0 ? 1 : 0),
    String(area),
    String(built),
    ...point,
    ['Gable', 'Hip', 'Flat'][i % 3],
    // The curly quotes of Windows-1252.
    i % 9 === 0 ? '\u0093sold as is\u0094' : '',
  ];
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A day of 2023 to 2025, in one of three forms. */
function dateOf(i: number): string {
  const [year, month, day] = [2023 + (i % 3), (i * 7) % 12, 1 + ((i * 11) % 28)];
  if (i % 3 === 0) return `${month + 1}/${day}/${year}`;
  if (i % 3 === 1) return `${MONTHS[month]} ${day}, ${year}`;
  return `${year}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
