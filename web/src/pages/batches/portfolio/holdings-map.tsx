import { useMemo, useState } from 'preact/hooks';
import { pathOfValuation } from '../../../api/batches.ts';
import { formatPercent, formatUsd } from '../../../parts/format.ts';
import { MapView } from '../../../parts/map/map-view.tsx';
import { Legend } from '../../../parts/plot.tsx';
import { classOfLtv, LTV_CLASSES, WITHOUT_LTV, type Holding } from './figures.ts';

/** More markers than this make the map slow. */
const MARKERS_SHOWN = 2000;

/** The valued homes, by their loan-to-value ratio if the file has balances. */
export function HoldingsMap(props: { readonly holdings: readonly Holding[]; readonly hasLoans: boolean }) {
  const { holdings, hasLoans } = props;
  const [selected, setSelected] = useState<string | null>(null);
  const markers = useMemo(
    () =>
      byLtv(holdings)
        .slice(-MARKERS_SHOWN)
        .flatMap(({ row, reference, latitude, longitude, value, combinedLtv }) => {
          if (latitude === null || longitude === null) return [];
          const title = `${reference}: ${formatUsd(value)}`;
          const color = hasLoans ? { color: classOfLtv(combinedLtv).color } : {};
          return [{ id: String(row), kind: 'incident' as const, latitude, longitude, title, ...color }];
        }),
    [holdings, hasLoans],
  );
  if (markers.length === 0) return null;
  const shown = holdings.find(({ row }) => String(row) === selected);
  const hasMissing = holdings.some(({ combinedLtv }) => combinedLtv === null);
  const classes = hasMissing ? [...LTV_CLASSES, WITHOUT_LTV] : LTV_CLASSES;
  return (
    <div>
      {hasLoans && <Legend entries={classes.map(({ name, color }) => ({ label: name, color }))} />}
      <MapView
        label={hasLoans ? 'Map of the properties by loan-to-value ratio' : 'Map of the properties'}
        alternative="The table below lists them. Select a dot to see its property."
        markers={markers}
        selectedId={selected}
        onSelect={setSelected}
        card={shown && <HoldingCard holding={shown} />}
      />
    </div>
  );
}

/** High ratios are last, so that their dots are above the others. The map keeps the highest of too many. */
function byLtv(holdings: readonly Holding[]): readonly Holding[] {
  return holdings.toSorted((a, b) => (a.combinedLtv ?? 0) - (b.combinedLtv ?? 0));
}

function HoldingCard({ holding }: { readonly holding: Holding }) {
  const { reference, address, value, combinedLtv: ltv, valuation_id: id } = holding;
  return (
    <>
      <strong>{reference}</strong>
      <span>{address}</span>
      <span>
        {formatUsd(value)}
        {ltv !== null && `, LTV ${formatPercent(ltv)}`}
      </span>
      {id !== null && <a href={pathOfValuation(id)}>Open the valuation</a>}
    </>
  );
}
