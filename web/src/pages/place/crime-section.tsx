import { useEffect, useState } from 'preact/hooks';
import { readCrime, type CrimeData, type Incident } from '../../api/places.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatCount, formatDay, formatMany, UNKNOWN } from '../../parts/format.ts';
import type { Where } from '../../parts/map/where.ts';
import { MoreButton, useList, type Listed } from '../../parts/more.tsx';
import { EmptyState, ProblemNotice, Waiting } from '../../parts/notice.tsx';
import { Figures, Section } from '../../parts/page.tsx';
import { PlotFigure } from '../../parts/plot.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { categoryCounts, PERIODS, RADII_MI, searchOf, type Period } from './crime-words.ts';
import { crimeCommand, type LoadNames } from './load-commands.ts';
import { incidentKey } from './incident-key.ts';

/** Incidents that are listed, and how far around they were searched for; null where nobody recorded any. */
export interface ShownCrime {
  readonly incidents: readonly Incident[];
  readonly radiusMi: number | null;
}

/** What happened around the place: counted, drawn and listed. */
export function CrimeSection(props: {
  readonly where: Where;
  readonly names: LoadNames;
  readonly selectedId: string | null;
  readonly onSelect: (id: string | null) => void;
  /** What the map is to show. */
  readonly onShown: (shown: ShownCrime) => void;
}) {
  const { where, names, selectedId, onSelect, onShown } = props;
  const [radiusMi, setRadius] = useState(1);
  const [period, setPeriod] = useState<Period>('all');
  const [lastDay, setLastDay] = useState<string | null>(null);
  const search = searchOf(radiusMi, period, lastDay);
  const [first, setFirst] = useState<CrimeData | null>(null);
  const list = useList(
    async (cursor, signal) => {
      const answer = await readCrime(where, search, cursor, signal);
      if (cursor === null) setFirst(answer);
      return { rows: answer.crime_instances, nextCursor: answer.meta.next_cursor };
    },
    [where, radiusMi, period],
  );
  const coverage = first?.meta.coverage ?? null;
  const isKnown = coverage !== null && coverage.agencies.length > 0;
  useEffect(() => setLastDay(coverage?.to ?? null), [coverage?.to]);
  useEffect(
    () => onShown({ incidents: list.rows, radiusMi: isKnown ? radiusMi : null }),
    [onShown, list.rows, isKnown, radiusMi],
  );
  return (
    <Section
      title="Crime"
      lead="Incidents as agencies recorded them, located by block, each under its most severe offense."
    >
      <div class="place-choices">
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
      {first !== null && !isKnown && <NothingKnown names={names} />}
      {first !== null && isKnown && (
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
  return (
    <>
      <Figures
        figures={[
          {
            label: 'Incidents',
            value: formatCount(summary?.total),
            note: `within ${formatMany(radiusMi, 'mile')}`,
          },
          { label: 'Severe or high', value: formatCount(severeOf(summary)), note: 'of them' },
          { label: 'Recorded', value: `${formatDay(from)} – ${formatDay(to)}`, note: agencies.join(', ') },
        ]}
      />
      {bars.length === 0 ? (
        <p>
          Nothing of this choice was recorded here. The agency’s records cover the place, so that is an
          answer.
        </p>
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
                { name: 'category', label: 'Category', cell: ({ category }) => category, isRowHeader: true },
                {
                  name: 'count',
                  label: 'Incidents',
                  cell: ({ count }) => formatCount(count),
                  isNumber: true,
                },
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

/** Room for the names of categories, in letters of 10 pixels; of longer ones the table has the whole. */
function labelPx(width: number): number {
  return Math.min(230, width * 0.45);
}

function severeOf(summary: CrimeData['summary']): number | null {
  return summary && (summary.by_severity.Severe ?? 0) + (summary.by_severity.High ?? 0);
}

interface ListedIncident {
  readonly key: string;
  readonly incident: Incident;
}

/** Fewer than the map shows: the page goes on below. */
const ROWS_AT_FIRST = 10;

function IncidentTable(props: {
  readonly list: Listed<Incident>;
  readonly selectedId: string | null;
  readonly onSelect: (id: string | null) => void;
}) {
  const { list, selectedId, onSelect } = props;
  const [isWhole, setWhole] = useState(false);
  if (list.rows.length === 0) return null;
  const rows = list.rows.map((incident, i) => ({ key: incidentKey(incident, i), incident }));
  const columns: Column<ListedIncident>[] = [
    {
      name: 'when',
      label: 'When',
      cell: ({ incident }) => <span class="nowrap">{momentOf(incident.datetime)}</span>,
      isRowHeader: true,
    },
    { name: 'what', label: 'What', cell: ({ incident }) => incident.offense_description ?? UNKNOWN },
    { name: 'severity', label: 'Severity', cell: ({ incident }) => incident.severity ?? UNKNOWN },
    { name: 'where', label: 'Block', cell: ({ incident }) => incident.address ?? UNKNOWN },
    {
      name: 'distance',
      label: 'Miles away',
      isNumber: true,
      cell: ({ incident }) => incident.distance_mi?.toFixed(2) ?? UNKNOWN,
    },
    {
      name: 'map',
      label: 'On the map',
      isLabelUnseen: true,
      cell: ({ key, incident }) => (
        <Button
          isSmall
          label={`Mark on the map: ${incident.offense_description ?? 'incident'}, ${incident.address ?? ''}`}
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
        rows={isWhole ? rows : rows.slice(0, ROWS_AT_FIRST)}
        keyOf={({ key }) => key}
      />
      {isWhole || rows.length <= ROWS_AT_FIRST ? (
        <MoreButton list={list} waiting="Reading incidents" />
      ) : (
        <div>
          <Button onClick={() => setWhole(true)}>List all {rows.length} on the map</Button>
        </div>
      )}
    </>
  );
}

/** In the time of the place, which the offset in the text is of: not the reader's. */
function momentOf(datetime: string | null): string {
  if (datetime === null) return UNKNOWN;
  return `${formatDay(datetime)}, ${datetime.slice(11, 16)}`;
}

function NothingKnown({ names }: { readonly names: LoadNames }) {
  return (
    <EmptyState title="No agency’s records are loaded around this place.">
      <p>That is not “no crime”: nothing is known. Load what its police publish:</p>
      <CodeBlock text={crimeCommand(names)} what="the command for crime" />
    </EmptyState>
  );
}
