import { useState } from 'preact/hooks';
import type { ModelStudy, StudiedArea } from '../../api/markets.ts';
import { SelectField } from '../../parts/field.tsx';
import { formatCount, formatMany } from '../../parts/format.ts';
import { PlotFigure } from '../../parts/plot.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { AREA_MEASURES, classOf, isTold, type AreaClass, type AreaMeasure } from './area-classes.ts';
import { cellColumns } from './studied-types.tsx';
import { evidenceOf } from './words.ts';

/** Where in the market values are off: its areas, coloured by what was measured in them. */
export function ErrorMap(props: {
  readonly areas: readonly StudiedArea[];
  readonly kind: ModelStudy['kind'];
}) {
  const { areas, kind } = props;
  const [measure, setMeasure] = useState<AreaMeasure>('bias');
  const { many } = evidenceOf(kind);
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
        label={`${areasInWords(areas)}, each a circle at the middle of its ${many}; the larger, the more of them. ${AREA_MEASURES[measure].says} Filled where the ${many} are enough to tell (${formatCount(told.length)}); of the others chance may say as much.`}
        inputs={[areas, measure]}
        plot={(Plot, width) => ({
          height: Math.max(260, Math.min(560, width * 0.6)),
          axis: null,
          projection: {
            type: 'mercator',
            domain: {
              type: 'MultiPoint',
              coordinates: areas.map(({ longitude, latitude }) => [longitude, latitude]),
            },
            inset: 16,
          },
          r: { range: [0, 14] },
          color: { domain: classes.map(({ name }) => name), range: classes.map(({ colour }) => colour) },
          marks: [
            Plot.dot(areas, {
              x: 'longitude',
              y: 'latitude',
              r: 'n',
              fill: (area: StudiedArea) => classOf(area, measure).name,
              fillOpacity: (area: StudiedArea) => (isTold(area, measure) ? 0.85 : 0.08),
              stroke: (area: StudiedArea) => classOf(area, measure).name,
              title: (area: StudiedArea) => `${nameOf(area)}: ${classOf(area, measure).name}`,
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

/** What the colours mean, in words. */
function Legend({ classes }: { readonly classes: readonly AreaClass[] }) {
  return (
    <ul class="legend" aria-label="Colours">
      {classes.map(({ name, colour }) => (
        <li key={name}>
          <span class="swatch" style={{ background: colour }} /> {name}
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
