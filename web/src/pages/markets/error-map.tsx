import { useMemo, useState } from 'preact/hooks';
import type { ModelStudy, StudiedArea } from '../../api/markets.ts';
import { SelectField } from '../../parts/field.tsx';
import { formatMany } from '../../parts/format.ts';
import { outlinedFeatures, type OutlinedFeature } from '../../parts/outlines.ts';
import { PlotFigure } from '../../parts/plot.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { AREA_MEASURES, classOf, isSignificant, type AreaMeasure } from './area-classes.ts';
import { stratumColumns } from './estimate-plots.tsx';
import { sampleWords, percentWithInterval, ratioWithInterval } from './words.ts';

/** A map of the market's areas, colored by the accuracy measured in them. */
export function ErrorMap(props: {
  readonly areas: readonly StudiedArea[];
  readonly kind: ModelStudy['kind'];
}) {
  const { areas, kind } = props;
  const [measure, setMeasure] = useState<AreaMeasure>('bias');
  const { many } = sampleWords(kind);
  const features = useMemo(() => outlinedFeatures(areas).features, [areas]);
  const significant = areas.filter((area) => isSignificant(area, measure));
  const { classes } = AREA_MEASURES[measure];
  return (
    <div class="stack">
      <div class="section-head">
        <h3>Accuracy by area</h3>
        <SelectField
          label="Color areas by"
          value={measure}
          choices={Object.entries(AREA_MEASURES).map(([value, { label }]) => ({ value, label }))}
          onInput={(value) => setMeasure(value === 'error' ? 'error' : 'bias')}
        />
      </div>
      <PlotFigure
        label={`${areasInWords(areas)}, north at the top. ${AREA_MEASURES[measure].description} Full color: statistically significant (${formatMany(significant.length, 'area')}). Pale: too few ${many} to exclude chance.`}
        inputs={[areas, measure]}
        legend={classes.map(({ name, color }) => ({ label: name, color }))}
        plot={(Plot, width) => ({
          height: Math.max(260, Math.min(620, width * 0.7)),
          axis: null,
          projection: { type: 'reflect-y', domain: { type: 'FeatureCollection', features }, inset: 8 },
          color: { domain: classes.map(({ name }) => name), range: classes.map(({ color }) => color) },
          marks: [
            Plot.geo(features, {
              fill: ({ properties: area }: AreaFeature) => classOf(area, measure).name,
              fillOpacity: ({ properties: area }: AreaFeature) => (isSignificant(area, measure) ? 0.9 : 0.25),
              stroke: 'var(--line)',
              strokeWidth: 0.75,
              title: ({ properties: area }: AreaFeature) => titleOf(area, kind),
            }),
          ],
        })}
        table={() => (
          <Table
            caption="Errors by area"
            columns={[NAME, ...stratumColumns<StudiedArea>(kind)]}
            rows={areas}
            keyOf={({ key }) => key}
            sorting={{ column: stratumColumns(kind)[0].label, isDescending: true }}
          />
        )}
      />
    </div>
  );
}

/** `373 census tracts and 2 areas outside them` */
function areasInWords(areas: readonly StudiedArea[]): string {
  const tracts = areas.filter(({ level }) => level === 'tract').length;
  const others = areas.length - tracts;
  if (tracts === 0) return `${formatMany(others, 'area')} of about 2.5 × 3 miles`;
  const words = formatMany(tracts, 'census tract');
  return others === 0 ? words : `${words} and ${formatMany(others, 'area')} outside them`;
}

type AreaFeature = OutlinedFeature<StudiedArea>;

/** Shown on hover; the table below shows the same. */
function titleOf(area: StudiedArea, kind: ModelStudy['kind']): string {
  const { one, price } = sampleWords(kind);
  const { n, median_ratio, mdape } = area;
  return `${area.name ?? area.key}, ${formatMany(n, one)}\nmedian value / ${price} ${ratioWithInterval(median_ratio)}\nmedian error ${percentWithInterval(mdape)}`;
}

const NAME: Column<StudiedArea> = {
  label: 'Area',
  isRowHeader: true,
  sortBy: ({ name, key }) => name ?? key,
  cell: (area) => (
    <>
      {area.name ?? area.key} {area.name && <span class="quiet small">{area.key}</span>}
    </>
  ),
};
