import { useMemo, useState } from 'preact/hooks';
import {
  PLACE_LAYERS,
  readCensusVariables,
  readPlaceLayer,
  type CensusVariables,
  type PlaceLayer,
  type PlaceLayerName,
} from '../../api/places.ts';
import { useRequest } from '../../api/use-request.ts';
import { Button, ProblemNotice, Waiting } from '../../parts/basics.tsx';
import { SelectField } from '../../parts/field.tsx';
import type { MapArea, Point } from '../../parts/map/map-content.ts';
import { Legend } from '../../parts/plot.tsx';
import { figureNames, mainKeysOf } from './census-words.ts';

const NAMES: Readonly<Record<PlaceLayerName, string>> = {
  flood: 'Flood zones',
  fire: 'Wildfire',
  crime: 'Crime',
  census: 'Census by tract',
};
const MISSING: Readonly<Record<PlaceLayerName, string>> = {
  flood: 'No flood zone is loaded within three miles, or all of it is of minimal hazard.',
  fire: 'No wildfire map is loaded within three miles, or nothing there can burn.',
  crime: 'No incident is loaded within three miles.',
  census: 'This figure is not loaded for tracts within three miles.',
};
/** What the classes of the legend are. The other layers name them there. */
const MEASURES: Readonly<Partial<Record<PlaceLayerName, string>>> = {
  crime: 'Incidents in each eighth of a mile, in all loaded data.',
};
const COLORS = ['var(--layer-1)', 'var(--layer-2)', 'var(--layer-3)', 'var(--layer-4)', 'var(--layer-5)'];

/** Fewer classes are spread over all colors. */
function colorOf(classIndex: number, classes: number): string {
  const step = classes > 1 ? (COLORS.length - 1) / (classes - 1) : 1;
  return COLORS[Math.round(classIndex * step)] ?? COLORS[0];
}

const NO_AREAS: readonly MapArea[] = [];

/** The layer over a map: its areas, the card of the area that was clicked, and its controls. */
export function usePlaceLayer(at: Point | null, onPlace: (point: Point) => void) {
  const [layer, setLayer] = useState<PlaceLayerName | null>(null);
  const [censusKey, setCensusKey] = useState<string | null>(null);
  const [opacity, setOpacity] = useState(60);
  const [selected, setSelected] = useState<string | null>(null);
  const [clicked, setClicked] = useState<Point | null>(null);
  const variables = useRequest(
    async (signal) => (layer === 'census' ? readCensusVariables(signal) : null),
    [layer === 'census'],
  );
  const key = censusKey ?? (variables.data ? (mainKeysOf(variables.data)[2] ?? null) : null);
  const read = useRequest(
    async (signal) =>
      at === null || layer === null || (layer === 'census' && key === null)
        ? null
        : readPlaceLayer(at, layer, layer === 'census' ? key : null, signal),
    [at?.latitude, at?.longitude, layer, key],
  );
  const found = layer === null ? null : read.data;
  const areas = useMemo(() => (found ? areasOf(found, opacity / 100) : NO_AREAS), [found, opacity]);
  const area = found?.areas.find(({ id }) => id === selected);
  const choose = (text: string): void => {
    setSelected(null);
    setClicked(null);
    setLayer(PLACE_LAYERS.find((one) => one === text) ?? null);
  };
  return {
    /** Its name on the map; null without a layer. */
    name: layer && NAMES[layer].toLowerCase(),
    areas,
    selectedId: area?.id ?? null,
    onSelect: setSelected,
    /** With a layer, a click identifies an area instead of choosing a place. */
    onPick: (point: Point) => {
      if (layer === null) return onPlace(point);
      setClicked(point);
      // The map reports the area of the click, if there is one, after the point.
      setSelected(null);
    },
    card: clicked && (
      <>
        {found && <strong>{area?.label ?? 'This layer has no area here.'}</strong>}
        <Button
          isSmall
          onClick={() => {
            setClicked(null);
            onPlace(clicked);
          }}
        >
          Look up this place
        </Button>
      </>
    ),
    controls: (
      <div class="stack place-layer">
        <div class="row filters">
          <SelectField
            label="Map layer"
            value={layer ?? ''}
            choices={[
              { value: '', label: 'None' },
              ...PLACE_LAYERS.map((value) => ({ value, label: NAMES[value] })),
            ]}
            onInput={choose}
          />
          {layer === 'census' && variables.data && (
            <SelectField
              label="Figure"
              value={key ?? ''}
              choices={figureChoices(variables.data)}
              onInput={setCensusKey}
            />
          )}
          {layer !== null && (
            <label class="field">
              <span>Opacity {opacity}%</span>
              <input
                type="range"
                min="10"
                max="100"
                step="5"
                value={opacity}
                onInput={(event) => setOpacity(Number(event.currentTarget.value))}
              />
            </label>
          )}
        </div>
        {read.problem && <ProblemNotice problem={read.problem} onRetry={read.reload} />}
        {layer !== null && read.isLoading && <Waiting for={`Loading ${NAMES[layer].toLowerCase()}`} />}
        {layer !== null && found && found.areas.length === 0 && <p class="quiet small">{MISSING[layer]}</p>}
        {found && found.areas.length > 0 && (
          <>
            <Legend
              entries={found.classes.map((label, i) => ({ label, color: colorOf(i, found.classes.length) }))}
            />
            <p class="quiet small">{layer && MEASURES[layer]} Within three miles.</p>
          </>
        )}
      </div>
    ),
  };
}

function areasOf({ areas, classes }: PlaceLayer, opacity: number): MapArea[] {
  return areas.map(({ id, class_index, outline }) => ({
    id,
    outline,
    color: colorOf(class_index, classes.length),
    opacity,
  }));
}

function figureChoices(known: CensusVariables) {
  const names = figureNames(known);
  const main = mainKeysOf(known);
  const others = [...names.keys()].filter((key) => !main.includes(key)).sort();
  return [...main, ...others].map((key) => ({ value: key, label: names.get(key) ?? key }));
}
