import type { Place } from '../../parts/map/location.ts';
import { MapView } from '../../parts/map/map-view.tsx';
import { ComparableCard } from './comparables-section.tsx';
import type { ShownComparables } from './use-comparables.ts';

/** The subject and its comparables; without them, the loaded data. */
export function ComparablesMap(props: {
  readonly shown: ShownComparables;
  readonly onPick?: (where: Place) => void;
}) {
  const { shown, onPick } = props;
  const { markers, selectedRow } = shown;
  return (
    <MapView
      label={markers.length === 0 ? 'Map of the loaded data' : 'Map of the subject and its comparables'}
      alternative={
        markers.length === 0 ? 'You can also enter an address.' : 'The comparables table lists them.'
      }
      markers={markers}
      selectedId={shown.selected}
      onSelect={shown.select}
      highlightedId={shown.hovered}
      card={selectedRow && <ComparableCard row={selectedRow} onClose={() => shown.select(selectedRow.id)} />}
      onPick={onPick}
    />
  );
}
