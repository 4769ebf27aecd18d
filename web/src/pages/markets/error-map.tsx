import { useLocation } from 'preact-iso/router';
import { useMemo, useState } from 'preact/hooks';
import type { Measured, ModelStudy, StudiedArea } from '../../api/markets.ts';
import { Button } from '../../parts/basics.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatMany } from '../../parts/format.ts';
import { MapView } from '../../parts/map/map-view.tsx';
import { Legend } from '../../parts/plot.tsx';
import { middleOf, nameApart } from '../../parts/place-in-market.ts';
import { saveCsv, saveGeoJson } from '../../parts/save-csv.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { AREA_MEASURES, classOf, isSignificant, type AreaMeasure } from './area-classes.ts';
import { stratumColumns, stratumFileRow } from './estimate-plots.tsx';
import { GroupSales } from './holdout-sales.tsx';
import { sampleWords, percentWithInterval, ratioWithInterval } from './words.ts';

/** A map of the market's areas, colored by the accuracy measured in them. A click lists the sales of an area. */
export function ErrorMap(props: {
  readonly areas: readonly StudiedArea[];
  readonly equity: Measured['equity'];
  readonly kind: ModelStudy['kind'];
  readonly modelId: string;
  readonly market: string;
  readonly firstModel: string;
}) {
  const { kind, modelId, market, firstModel, equity } = props;
  const areas = useMemo(() => namedAreas(props.areas), [props.areas]);
  const [measure, setMeasure] = useState<AreaMeasure>('bias');
  // In the URL: after a look at a sale, the page shows the area again.
  const { query, path, route } = useLocation();
  const selected = query.area ?? null;
  const setSelected = (key: string | null): void =>
    route(key === null ? path : `${path}?area=${encodeURIComponent(key)}`, true);
  const [hovered, setHovered] = useState<string | null>(null);
  const { many } = sampleWords(kind);
  const shownMeasures: readonly AreaMeasure[] =
    equity.length > 0 ? ['bias', 'cod', 'error'] : ['bias', 'error'];
  const drawn = useMemo(
    () =>
      areas.map((area) => ({
        id: area.key,
        outline: area.outline,
        color: classOf(area, measure).color,
        opacity: isSignificant(area, measure) ? 0.85 : 0.25,
      })),
    [areas, measure],
  );
  const significant = areas.filter((area) => isSignificant(area, measure));
  const find = (key: string | null): StudiedArea | null => areas.find((area) => area.key === key) ?? null;
  const figures = stratumColumns<StudiedArea>(kind, equity).filter(({ label }) => label !== 'Within 10%');
  const [chosen, shown] = [find(selected), find(hovered) ?? find(selected)];
  const { classes, description } = AREA_MEASURES[measure];
  return (
    <div class="stack">
      <div class="section-head">
        <h3>Accuracy by area</h3>
        <div class="row filters">
          <SelectField
            label="Color areas by"
            value={measure}
            choices={shownMeasures.map((value) => ({ value, label: AREA_MEASURES[value].label }))}
            onInput={(value) => setMeasure(shownMeasures.find((each) => each === value) ?? 'bias')}
          />
          <Button isSmall onClick={() => saveCsv(`${modelId}-accuracy-by-area.csv`, areas.map(fileRow))}>
            Download CSV
          </Button>
          <Button
            isSmall
            onClick={() => saveGeoJson(`${modelId}-accuracy-by-area.geojson`, areas.map(fileFeature))}
          >
            Download GeoJSON
          </Button>
        </div>
      </div>
      <p class="quiet small">
        {description} Full color: enough {many} to exclude chance ({formatMany(significant.length, 'area')}).
        Pale: too few. Select an area to list its {many}.
      </p>
      <Legend entries={classes.map(({ name, color }) => ({ label: name, color }))} />
      <MapView
        label={`Map of ${areasInWords(areas)}`}
        alternative="The table below lists the same."
        areas={drawn}
        selectedId={selected}
        onSelect={setSelected}
        onHover={setHovered}
        card={shown && <AreaCard area={shown} kind={kind} isSelected={shown === chosen} />}
      />
      {chosen && (
        <>
          <GroupSales
            modelId={modelId}
            kind={kind}
            market={market}
            firstModel={firstModel}
            group={{ area: chosen.key }}
            name={chosen.name ?? chosen.key}
          />
          <div class="row">
            <Button isSmall onClick={() => setSelected(null)}>
              Close the list
            </Button>
          </div>
        </>
      )}
      <details class="plot-table">
        <summary>Show as a table</summary>
        <Table
          caption="Errors by area"
          columns={[nameColumn(many, setSelected), ...figures]}
          rows={areas}
          keyOf={({ key }) => key}
          sorting={{ column: figures[0]?.label ?? '', isDescending: true }}
        />
      </details>
    </div>
  );
}

/** Cells outside of the tracts may share a name or have none. */
function namedAreas(areas: readonly StudiedArea[]): StudiedArea[] {
  const names = nameApart(areas.map(({ name, outline }) => ({ name, ...middleOf(outline) })));
  return areas.map((area, at) => (area.level === 'tract' ? area : { ...area, name: names[at] }));
}

/** `373 census tracts and 2 areas outside them` */
function areasInWords(areas: readonly StudiedArea[]): string {
  const tracts = areas.filter(({ level }) => level === 'tract').length;
  const others = areas.length - tracts;
  if (tracts === 0) return `${formatMany(others, 'area')} of about 2.5 × 3 miles`;
  const words = formatMany(tracts, 'census tract');
  return others === 0 ? words : `${words} and ${formatMany(others, 'area')} outside them`;
}

/** The area under the pointer, or the selected one. */
function AreaCard(props: {
  readonly area: StudiedArea;
  readonly kind: ModelStudy['kind'];
  readonly isSelected: boolean;
}) {
  const { area, kind, isSelected } = props;
  const { one, many, price } = sampleWords(kind);
  return (
    <>
      <strong>{area.name ?? area.key}</strong>
      <span>{formatMany(area.n, one)}</span>
      <span>
        Median value / {price}: {ratioWithInterval(area.median_ratio)}
      </span>
      <span>Median error: {percentWithInterval(area.mdape)}</span>
      {kind === 'property' && area.cod !== null && <span>COD: {area.cod.toFixed(1)}</span>}
      {isSelected && <span>The {many} are listed below the map.</span>}
    </>
  );
}

function fileRow({ key, level, name, outline: _outline, ...stratum }: StudiedArea) {
  return { area: key, level, name, ...stratumFileRow(stratum) };
}

function fileFeature(area: StudiedArea) {
  return {
    geometry: { type: 'MultiPolygon', coordinates: area.outline } as const,
    properties: fileRow(area),
  };
}

/** The name lists the sales: a column of buttons would not fit on a small laptop. */
function nameColumn(many: string, onSelect: (key: string) => void): Column<StudiedArea> {
  return {
    label: 'Area',
    isRowHeader: true,
    sortBy: ({ name, key }) => name ?? key,
    cell: ({ key, level, name }) => (
      <>
        <button
          type="button"
          class="link"
          title={`List the ${many} of this area`}
          onClick={() => onSelect(key)}
        >
          {name ?? key}
        </button>
        {level === 'tract' && name && <span class="quiet small second-line">{key}</span>}
      </>
    ),
  };
}
