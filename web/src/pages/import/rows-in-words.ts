import type { ImportInspection } from '../../api/imports.ts';
import { formatCount, formatMany } from '../../parts/format.ts';

type Counts = Pick<ImportInspection, 'row_count' | 'usable_rows' | 'repeated_rows'> & {
  readonly rejections: readonly Pick<ImportInspection['rejections'][number], 'reason' | 'count'>[];
};

/** `950 of 1,000 rows will be loaded. 20 repeat another row, 25 have no place, and 5 are left out for other reasons.` */
export function rowsInWords({ row_count, usable_rows, repeated_rows, rejections }: Counts): string {
  const leftOut = rejections.reduce((sum, { count }) => sum + count, 0);
  const unlocated = rejections.find(({ reason }) => reason === 'not_located')?.count ?? 0;
  const of = (count: number, one: string, many: string): string[] =>
    count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : many}`];
  const explained = [
    ...of(repeated_rows, 'repeats another row', 'repeat other rows'),
    ...of(unlocated, 'has no place', 'have no place'),
  ];
  const parts = [
    ...explained,
    ...(explained.length === 0
      ? of(leftOut, 'is left out', 'are left out')
      : of(leftOut - unlocated, 'is left out for another reason', 'are left out for other reasons')),
  ];
  const loaded = `${formatCount(usable_rows)} of ${formatMany(row_count, 'row')} will be loaded.`;
  return parts.length === 0 ? loaded : `${loaded} ${new Intl.ListFormat('en').format(parts)}.`;
}

/** `parcels.csv and addresses.csv` */
export function namesOf(files: readonly { readonly name: string }[]): string {
  return new Intl.ListFormat('en').format(files.map(({ name }) => name));
}
