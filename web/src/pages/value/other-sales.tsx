import { formatProximity } from '../../../../src/domain/compass-direction.ts';
import type { ChallengePreview } from '../../api/challenges.ts';
import type { SaleComparable } from '../../api/valuations.ts';
import { Button } from '../../parts/basics.tsx';
import { formatDay, formatPct, formatUsd } from '../../parts/format.ts';
import { actionsColumn, dateColumn, numberColumn, Table } from '../../parts/table.tsx';
import { homeWords, nameOfSale } from './grid.ts';
import type { subjectOf } from './use-comparables.ts';

/** The sales within the limits of the list that the value does not use. */
export function OtherSales(props: {
  readonly preview: ChallengePreview;
  readonly subject: ReturnType<typeof subjectOf>;
  readonly candidates: readonly SaleComparable[];
  readonly onPin: (compId: string) => void;
}) {
  const { preview, subject, candidates, onPin } = props;
  const used = new Set(preview.comparables.items.map(({ comp_id }) => comp_id));
  for (const { comp_id } of preview.changes.excluded) used.add(comp_id);
  const others = candidates.filter(({ comp_id }) => !used.has(comp_id));
  if (others.length === 0)
    return (
      <p class="quiet small">
        The value uses every sale within the limits of the list. Choose a larger radius or more months.
      </p>
    );
  return (
    <>
      <p class="quiet small">
        The most similar sales that the value does not use, within the radius and the months of the list.
      </p>
      <Table
        caption="Other sales"
        rows={others}
        keyOf={({ comp_id }) => comp_id}
        columns={[
          {
            label: 'Sale',
            isRowHeader: true,
            cell: (sale) => (
              <>
                {nameOfSale(sale)}
                <span class="quiet small second-line">{homeWords(sale)}</span>
              </>
            ),
          },
          dateColumn<SaleComparable>('Sold', ({ sale_date }) => sale_date, formatDay),
          {
            label: 'Distance',
            isNumber: true,
            sortBy: ({ distance_mi }) => distance_mi,
            cell: (sale) => formatProximity(sale.distance_mi, subject, sale),
          },
          numberColumn<SaleComparable>('Price', ({ sale_price }) => sale_price, formatUsd),
          numberColumn<SaleComparable>('Adjusted', ({ adjusted_price }) => adjusted_price, formatUsd),
          numberColumn<SaleComparable>('Net', ({ net_adjustment_pct }) => net_adjustment_pct, formatPct),
          numberColumn<SaleComparable>(
            'Gross',
            ({ gross_adjustment_pct }) => gross_adjustment_pct,
            formatPct,
          ),
          actionsColumn<SaleComparable>((sale) => (
            <Button isSmall label={`Pin ${nameOfSale(sale)}`} onClick={() => onPin(sale.comp_id)}>
              Pin
            </Button>
          )),
        ]}
      />
    </>
  );
}
