import type { Measured, ModelStudy, StudiedCell } from '../../api/markets.ts';
import { formatCount } from '../../parts/format.ts';
import { Badge } from '../../parts/notice.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { evidenceOf, percentWithInterval, ratioWithInterval, TYPE_NAMES } from './words.ts';

interface Row extends StudiedCell {
  readonly name: string;
}

/** All together and by type of property. */
export function StudiedTypes({
  measured,
  kind,
}: {
  readonly measured: Measured;
  readonly kind: ModelStudy['kind'];
}) {
  const types = measured.types
    .toSorted((a, b) => b.n - a.n)
    .map((type) => ({ ...type, name: TYPE_NAMES[type.key] ?? type.key }));
  const rows: Row[] = [{ ...measured.overall, name: 'All' }, ...(types.length > 1 ? types : [])];
  return (
    <Table
      caption="Errors by type of property"
      columns={[{ ...NAME, label: 'Type' }, ...cellColumns(kind)]}
      rows={rows}
      keyOf={({ name }) => name}
    />
  );
}

const NAME: Column<Row> = {
  name: 'name',
  label: 'Type',
  isRowHeader: true,
  cell: ({ name, is_small }) => (
    <>
      {name} {is_small && <Badge kind="warn">few</Badge>}
    </>
  ),
};

/** The figures that every group is told by. */
export function cellColumns<Row extends StudiedCell>(kind: ModelStudy['kind']): Column<Row>[] {
  const { many, price } = evidenceOf(kind);
  return [
    {
      name: 'n',
      label: many[0]?.toUpperCase() + many.slice(1),
      isNumber: true,
      sortBy: ({ n }) => n,
      cell: ({ n }) => formatCount(n),
    },
    {
      name: 'mdape',
      label: 'Median error',
      isNumber: true,
      sortBy: ({ mdape }) => mdape.figure,
      cell: ({ mdape }) => percentWithInterval(mdape),
    },
    {
      name: 'ppe10',
      label: 'Within 10%',
      isNumber: true,
      sortBy: ({ ppe10 }) => ppe10.figure,
      cell: ({ ppe10 }) => percentWithInterval(ppe10),
    },
    {
      name: 'ratio',
      label: `Median ratio (value / ${price})`,
      isNumber: true,
      sortBy: ({ median_ratio }) => median_ratio.figure,
      cell: ({ median_ratio }) => ratioWithInterval(median_ratio),
    },
    {
      name: 'coverage',
      label: 'In the 90% range',
      isNumber: true,
      sortBy: ({ coverage_90 }) => coverage_90?.figure ?? null,
      cell: ({ coverage_90 }) => percentWithInterval(coverage_90),
    },
  ];
}
