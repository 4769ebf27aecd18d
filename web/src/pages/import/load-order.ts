import type { ImportInspection, ImportKind } from '../../api/imports.ts';

/** Files that place rows come first. Trainings use what the last files have, so sales and rents come last. */
const LOAD_ORDER: readonly ImportKind[] = ['addresses', 'parcels', 'index', 'sales', 'rents'];

/** The kinds of files that place rows without coordinates. */
const PLACED_BY: Readonly<Record<ImportKind, readonly ImportKind[]>> = {
  addresses: [],
  parcels: ['addresses'],
  index: [],
  sales: ['addresses', 'parcels'],
  rents: ['addresses', 'parcels'],
};

interface Ordered {
  readonly kind: ImportKind | null;
}

/** Files whose kind is not known yet come last. Otherwise the order of the user is kept. */
export function inLoadOrder<File extends Ordered>(files: readonly File[]): File[] {
  const positionOf = ({ kind }: Ordered): number =>
    kind === null ? LOAD_ORDER.length : LOAD_ORDER.indexOf(kind);
  return [...files].sort((a, b) => positionOf(a) - positionOf(b));
}

/** The files that may place rows of a file of a kind. */
export function placersOf<File extends Ordered>(kind: ImportKind, files: readonly File[]): File[] {
  return files.filter((file) => file.kind !== null && PLACED_BY[kind].includes(file.kind));
}

/** An inspection in which the rows without a place count as usable, because files that are loaded before place them. */
export function withPlacedLater(inspection: ImportInspection): ImportInspection {
  const { rejections, usable_rows: usable } = inspection;
  const unplaced = rejections.filter(({ reason }) => reason === 'not_located');
  return {
    ...inspection,
    usable_rows: unplaced.reduce((sum, { count }) => sum + count, usable),
    rejections: rejections.filter((rejection) => !unplaced.includes(rejection)),
  };
}
