import { useMemo } from 'preact/hooks';
import type { Valued } from '../../api/valuations.ts';
import { MapView } from '../../parts/map/map-view.tsx';
import type { MapMarker } from '../../parts/map/map-content.ts';
import { formatUsd } from '../../parts/format.ts';
import type { Where } from '../../parts/map/where.ts';
import type { Grid } from './grid.ts';

const NOTHING: readonly MapMarker[] = [];

/** Where the subject and its comparables stand; a click values what stands there. */
export function ValueMap(props: {
  readonly valued: Valued | null;
  readonly grid: Grid | null;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  readonly onWhere: (where: Where) => void;
}) {
  const { valued, grid, selected, onSelect, onWhere } = props;
  const markers = useMemo(
    () => (valued === null || grid === null ? NOTHING : markersOf(valued, grid)),
    [valued, grid],
  );
  return (
    <MapView
      label={markers.length === 0 ? 'Map of what is loaded' : 'Map of the subject and its comparables'}
      alternative={markers.length === 0 ? 'An address does as well.' : 'The grid of comparables lists them.'}
      markers={markers}
      selectedId={selected}
      onSelect={onSelect}
      onPick={onWhere}
    />
  );
}

function markersOf({ answer }: Valued, { rows }: Grid): MapMarker[] {
  const { latitude, longitude, formatted_address: address } = answer.address_info;
  const comparables = rows.map(
    ({ id, number, title, adjusted, latitude: lat, longitude: lon }): MapMarker => ({
      id,
      kind: 'comparable',
      label: String(number),
      title: `${number}: ${title}, ${formatUsd(adjusted)} adjusted`,
      latitude: lat,
      longitude: lon,
    }),
  );
  if (latitude === null || longitude === null) return comparables;
  const subject: MapMarker = {
    id: 'subject',
    kind: 'subject',
    title: address ?? 'The subject',
    latitude,
    longitude,
  };
  return [...comparables, subject];
}
