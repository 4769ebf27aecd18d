import { useMemo, useState } from 'preact/hooks';
import { useRequest } from '../../api/use-request.ts';
import { readComparableRecords, type ComparableRecord, type Valued } from '../../api/valuations.ts';
import { formatShortUsd } from '../../parts/format.ts';
import type { MapMarker } from '../../parts/map/map-content.ts';
import {
  estimatesOf,
  rentGrid,
  rowsShown,
  saleGrid,
  type Grid,
  type GridRow,
  type GridView,
} from './grid.ts';

export type ShownComparables = ReturnType<typeof useComparables>;

const NO_ROWS: readonly GridRow[] = [];
const NO_MARKERS: readonly MapMarker[] = [];
const NO_RECORDS: readonly ComparableRecord[] = [];

/** The table is read after a value has stayed the same. */
const PAUSE_MS = 350;

/** What the records say of the comparables. Until those of a changed value are loaded, those of the same date stay. */
function useComparableRecords(valued: Valued | null) {
  const previewed = valued?.kind === 'home' ? valued.records : undefined;
  const { valuation_id: id, as_of_date: asOf } = valued?.response.valuation ?? {};
  const requestedId = previewed || valued?.kind === 'rent' ? undefined : id;
  const { data, isLoading } = useRequest(
    async (signal) => requestedId && { asOf, records: await readComparableRecords(requestedId, signal) },
    [requestedId],
    PAUSE_MS,
  );
  const loaded = data && requestedId && data.asOf === asOf ? data.records : NO_RECORDS;
  return { records: previewed ?? loaded, isLoading: requestedId !== undefined && isLoading };
}

/** The comparables in the grid and on the map: which are shown, in what order, and the selected one. */
export function useComparables(valued: Valued | null, view: GridView, setView: (view: GridView) => void) {
  const [selected, setSelected] = useState<string | null>(null);
  const [hovered, hover] = useState<string | null>(null);
  const [chosenUnit, setUnit] = useState(0);
  const units = valued?.kind === 'rent' ? valued.response.valuation.units.length : 1;
  // The unit of a rent valuation that the listings are adjusted to.
  const unit = chosenUnit < units ? chosenUnit : 0;
  const { records, isLoading: areRecordsLoading } = useComparableRecords(valued);
  const grid = useMemo((): Grid | null => {
    if (valued === null) return null;
    const subject = subjectOf(valued);
    if (valued.kind === 'rent') return rentGrid(valued.response.comparables.items, subject, unit);
    const { inputs, as_of_date } = valued.response.valuation;
    const estimates = valued.kind === 'home' ? estimatesOf(inputs, as_of_date) : undefined;
    return saleGrid(valued.response.comparables.items, subject, estimates, records);
  }, [valued, unit, records]);
  const asOf = valued?.response.valuation.as_of_date ?? '';
  const rows = useMemo(() => (grid ? rowsShown(grid, view, asOf) : NO_ROWS), [grid, view, asOf]);
  const markers = useMemo(() => markersOf(valued, rows), [valued, rows]);
  const select = (id: string): void => setSelected((before) => (before === id ? null : id));
  const selectedRow = rows.find(({ id }) => id === selected) ?? null;
  return {
    grid,
    rows,
    markers,
    records,
    areRecordsLoading,
    view,
    setView,
    selected,
    selectedRow,
    select,
    hovered,
    hover,
    unit,
    setUnit,
  };
}

function markersOf(valued: Valued | null, rows: readonly GridRow[]): readonly MapMarker[] {
  if (valued === null) return NO_MARKERS;
  const comparables = rows.map(({ id, number, title, price, latitude, longitude }): MapMarker => ({
    id,
    kind: 'comparable',
    label: formatShortUsd(price),
    title: `${formatShortUsd(price)}: ${number}, ${title}`,
    latitude,
    longitude,
  }));
  const subject = subjectOf(valued);
  if (subject === null) return comparables;
  const title = valued.response.address_info.formatted_address ?? 'Subject';
  return [...comparables, { id: 'subject', kind: 'subject', title, ...subject }];
}

/** Null if the address was not located. */
export function subjectOf({ response }: Valued) {
  const { latitude, longitude } = response.address_info;
  return latitude === null || longitude === null ? null : { latitude, longitude };
}
