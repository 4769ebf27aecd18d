import { useMemo, useState } from 'preact/hooks';
import type { ModelStudy, StudiedArea } from '../../api/markets.ts';
import { SelectField } from '../../parts/field.tsx';
import { formatCount, formatMany } from '../../parts/format.ts';
import { PlotFigure } from '../../parts/plot.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { AREA_MEASURES, classOf, isTold, type AreaClass, type AreaMeasure } from './area-classes.ts';
import { cellColumns } from './studied-types.tsx';
import { evidenceOf, percentWithInterval, ratioWithInterval } from './words.ts';

/** Where in the market values are off: its areas, colored by what was measured in them. */
export function ErrorMap(props: {
  readonly areas: readonly StudiedArea[];
  readonly kind: ModelStudy['kind'];
}) {
  const { areas, kind } = props;
  const [measure, setMeasure] = useState<AreaMeasure>('bias');
  const { many } = evidenceOf(kind);
  const features = useMemo(() => featuresOf(areas), [areas]);
  const told = areas.filter((area) => isTold(area, measure));
  const { classes } = AREA_MEASURES[measure];
  return (
    <div class="stack">
      <div class="section-head">
        <h3>Where</h3>
        <SelectField
          label="Areas show"
          value={measure}
          choices={Object.entries(AREA_MEASURES).map(([value, { label }]) => ({ value, label }))}
          onInput={(value) => setMeasure(value === 'error' ? 'error' : 'bias')}
        />
      </div>
      <Legend classes={classes} />
      <PlotFigure
        label={`${areasInWords(areas)}, north on top. ${AREA_MEASURES[measure].says} In full color where the ${many} are enough to tell (${formatCount(told.length)}); of the pale ones chance may say as much.`}
        inputs={[areas, measure]}
        plot={(Plot, width) => ({
          height: Math.max(260, Math.min(620, width * 0.7)),
          axis: null,
          projection: { type: 'reflect-y', domain: { type: 'FeatureCollection', features }, inset: 8 },
          color: { domain: classes.map(({ name }) => name), range: classes.map(({ color }) => color) },
          marks: [
            Plot.geo(features, {
              fill: ({ properties: area }: AreaFeature) => classOf(area, measure).name,
              fillOpacity: ({ properties: area }: AreaFeature) => (isTold(area, measure) ? 0.9 : 0.25),
              stroke: 'var(--line)',
              strokeWidth: 0.75,
              title: ({ properties: area }: AreaFeature) => titleOf(area, kind),
            }),
          ],
        })}
        table={() => (
          <Table
            caption="Errors by area"
            columns={[NAME, ...cellColumns<StudiedArea>(kind)]}
            rows={areas}
            keyOf={({ key }) => key}
            sorting={{ column: 'n', isDescending: true }}
          />
        )}
      />
    </div>
  );
}

/** What the colors mean, in words. */
function Legend({ classes }: { readonly classes: readonly AreaClass[] }) {
  return (
    <ul class="legend" aria-label="Colors">
      {classes.map(({ name, color }) => (
        <li key={name}>
          <span class="swatch" style={{ background: color }} /> {name}
        </li>
      ))}
    </ul>
  );
}

/** `373 census tracts and 2 areas without one` */
function areasInWords(areas: readonly StudiedArea[]): string {
  const tracts = areas.filter(({ level }) => level === 'tract').length;
  const others = areas.length - tracts;
  if (tracts === 0) return `${formatMany(others, 'area')} of some 4 × 5 km`;
  const words = formatMany(tracts, 'census tract');
  return others === 0 ? words : `${words} and ${formatMany(others, 'area')} outside them`;
}

interface AreaFeature {
  readonly type: 'Feature';
  readonly geometry: { readonly type: 'MultiPolygon'; readonly coordinates: [number, number][][][] };
  readonly properties: StudiedArea;
}

/** Areas on a flat map: degrees of longitude as long as they are in the middle of the market. */
function featuresOf(areas: readonly StudiedArea[]): AreaFeature[] {
  const latitudes = areas.map(({ outline }) => outline[0]?.[0]?.[0]?.[1] ?? 0);
  const middle = latitudes.toSorted((a, b) => a - b)[Math.floor(latitudes.length / 2)] ?? 0;
  const shrink = Math.cos((middle * Math.PI) / 180);
  return areas.map((area) => ({
    type: 'Feature',
    properties: area,
    geometry: {
      type: 'MultiPolygon',
      coordinates: area.outline.map((rings) =>
        rings.map((ring) => ring.map(([lon, lat]): [number, number] => [lon * shrink, lat])),
      ),
    },
  }));
}

/** What is shown when an area is pointed at; the table below says the same. */
function titleOf(area: StudiedArea, kind: ModelStudy['kind']): string {
  const { one, price } = evidenceOf(kind);
  const { n, median_ratio, mdape } = area;
  return `${nameOf(area)}, ${formatMany(n, one)}\nmedian of value / ${price} ${ratioWithInterval(median_ratio)}\nmedian error ${percentWithInterval(mdape)}`;
}

function nameOf({ name, key }: StudiedArea): string {
  return name ?? key;
}

const NAME: Column<StudiedArea> = {
  name: 'area',
  label: 'Area',
  isRowHeader: true,
  sortBy: nameOf,
  cell: (area) => (
    <>
      {nameOf(area)} {area.name && <span class="quiet small">{area.key}</span>}
    </>
  ),
};
