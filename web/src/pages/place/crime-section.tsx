import { useEffect, useState } from 'preact/hooks';
import { readCrime, type CrimeData, type Incident } from '../../api/places.ts';
import { Button, EmptyState, ProblemNotice, Waiting } from '../../parts/basics.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatCount, formatDay, formatLocalMoment, formatMany, UNKNOWN } from '../../parts/format.ts';
import type { Place } from '../../parts/map/location.ts';
import { ShowMore, useList, type RowPages } from '../../parts/row-pages.tsx';
import { Figures, Section } from '../../parts/page.tsx';
import { PlotFigure } from '../../parts/plot.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { categoryCounts, incidentKey, PERIODS, RADII_MI, searchOf, type Period } from './crime-words.ts';
import { crimeCommand, type LoadNames } from './load-commands.ts';

/** The listed incidents, and the search radius; null if no agency covers the location. */
export interface ShownCrime {
  readonly incidents: readonly Incident[];
  readonly radiusMi: number | null;
}

interface Selection {
  readonly selectedId: string | null;
  readonly onSelect: (id: string | null) => void;
}

/** Incidents around the location: counts, a plot and a list. */
export function CrimeSection(
  props: Selection & {
    readonly where: Place;
    readonly names: LoadNames;
    /** Called with what the map is to show. */
    readonly onShown: (shown: ShownCrime) => void;
  },
) {
  const { where, names, selectedId, onSelect, onShown } = props;
  const [radiusMi, setRadius] = useState(1);
  const [period, setPeriod] = useState<Period>('all');
  const [lastDay, setLastDay] = useState<string | null>(null);
  const [first, setFirst] = useState<CrimeData | null>(null);
  const list = useList(
    async (cursor, signal) => {
      const response = await readCrime(where, searchOf(radiusMi, period, lastDay), cursor, signal);
      if (cursor === null) setFirst(response);
      return { rows: response.crime_instances, next_cursor: response.meta.next_cursor };
    },
    [where, radiusMi, period],
  );
  const coverage = first?.meta.coverage ?? null;
  const isCovered = coverage !== null && coverage.agencies.length > 0;
  useEffect(() => setLastDay(coverage?.to ?? null), [coverage?.to]);
  useEffect(
    () => onShown({ incidents: list.rows, radiusMi: isCovered ? radiusMi : null }),
    [onShown, list.rows, isCovered, radiusMi],
  );
  return (
    <Section
      title="Crime"
      lead="Incidents recorded by police agencies, located by block. Each is listed under its most severe offense."
    >
      <div class="row filters">
        <SelectField
          label="Within"
          value={String(radiusMi)}
          choices={RADII_MI.map((miles) => ({ value: String(miles), label: formatMany(miles, 'mile') }))}
          onInput={(text) => setRadius(Number(text))}
        />
        <SelectField
          label="Period"
          value={period}
          choices={[...PERIODS]}
          onInput={(text) => setPeriod(PERIODS.find(({ value }) => value === text)?.value ?? 'all')}
        />
      </div>
      {first === null && list.isLoading && <Waiting for="Searching incidents" />}
      {first === null && list.problem && <ProblemNotice problem={list.problem} onRetry={list.reload} />}
      {first !== null && !isCovered && (
        <EmptyState title="No police records are loaded for this location.">
          <p>This does not mean “no crime”: the data is missing. Load the records that the police publish:</p>
          <CodeBlock text={crimeCommand(names)} what="the command for crime" />
        </EmptyState>
      )}
      {first !== null && isCovered && (
        <>
          <Summary data={first} radiusMi={radiusMi} />
          <IncidentTable list={list} selectedId={selectedId} onSelect={onSelect} />
        </>
      )}
    </Section>
  );
}

function Summary({ data, radiusMi }: { readonly data: CrimeData; readonly radiusMi: number }) {
  const { summary, meta } = data;
  const bars = categoryCounts(summary);
  const { agencies, from, to } = meta.coverage;
  const severe = summary && (summary.by_severity.Severe ?? 0) + (summary.by_severity.High ?? 0);
  const within = `within ${formatMany(radiusMi, 'mile')}`;
  return (
    <>
      <Figures
        figures={[
          { label: 'Incidents', value: formatCount(summary?.total), note: within },
          { label: 'Severe or high', value: formatCount(severe), note: 'severity' },
          {
            label: 'Records from',
            value: `${formatDay(from)} – ${formatDay(to)}`,
            note: agencies.join(', '),
          },
        ]}
      />
      {bars.length === 0 ? (
        <p>No incident of this selection was recorded here. The agency’s records cover this location.</p>
      ) : (
        <PlotFigure
          label="Incidents by category"
          inputs={[data]}
          plot={(Plot, width) => ({
            height: 40 + bars.length * 24,
            marginLeft: labelPx(width),
            marginRight: 40,
            x: { label: null, grid: true, ticks: Math.max(2, Math.floor(width / 140)) },
            y: { label: null, domain: bars.map(({ category }) => category) },
            marks: [
              Plot.axisY({ tickSize: 0, lineWidth: labelPx(width) / 10 - 1, textOverflow: 'ellipsis' }),
              Plot.barX(bars, { x: 'count', y: 'category', fill: 'var(--series-1)' }),
              Plot.text(bars, {
                x: 'count',
                y: 'category',
                text: ({ count }) => formatCount(count),
                textAnchor: 'start',
                dx: 4,
              }),
              Plot.ruleX([0]),
            ],
          })}
          table={() => (
            <Table
              caption="Incidents by category"
              columns={[
                { label: 'Category', cell: ({ category }) => category, isRowHeader: true },
                { label: 'Incidents', isNumber: true, cell: ({ count }) => formatCount(count) },
              ]}
              rows={bars}
              keyOf={({ category }) => category}
            />
          )}
        />
      )}
    </>
  );
}

/** Space for category names, at 10 pixels per letter. The table shows longer names in full. */
function labelPx(width: number): number {
  return Math.min(230, width * 0.45);
}

/** The map shows more: this table must not push the page down. */
const ROWS_AT_FIRST = 10;

function IncidentTable({ list, selectedId, onSelect }: Selection & { readonly list: RowPages<Incident> }) {
  const [isComplete, setComplete] = useState(false);
  if (list.rows.length === 0) return null;
  const rows = list.rows.map((incident, i) => ({ ...incident, key: incidentKey(incident, i) }));
  const columns: Column<Incident & { readonly key: string }>[] = [
    {
      label: 'Time',
      cell: ({ datetime }) => <span class="nowrap">{formatLocalMoment(datetime)}</span>,
      isRowHeader: true,
    },
    { label: 'Offense', isText: true, cell: ({ offense_description }) => offense_description ?? UNKNOWN },
    { label: 'Severity', cell: ({ severity }) => severity ?? UNKNOWN },
    { label: 'Block', cell: ({ address }) => address ?? UNKNOWN },
    {
      label: 'Distance (mi)',
      isNumber: true,
      cell: ({ distance_mi }) => distance_mi?.toFixed(2) ?? UNKNOWN,
    },
    {
      label: 'On the map',
      isLabelHidden: true,
      cell: ({ key, offense_description, address }) => (
        <Button
          isSmall
          label={`Mark on the map: ${offense_description ?? 'incident'}, ${address ?? ''}`}
          onClick={() => onSelect(key === selectedId ? null : key)}
        >
          {key === selectedId ? 'Marked' : 'Mark'}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Table
        caption="Incidents, newest first"
        columns={columns}
        rows={isComplete ? rows : rows.slice(0, ROWS_AT_FIRST)}
        keyOf={({ key }) => key}
      />
      {isComplete || rows.length <= ROWS_AT_FIRST ? (
        <ShowMore list={list} waiting="Loading incidents" />
      ) : (
        <div>
          <Button onClick={() => setComplete(true)}>List all {rows.length} on the map</Button>
        </div>
      )}
    </>
  );
}
