import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { isUnlikelyLtv } from '../../../../src/domain/portfolio.ts';
import { listHomes, type WatchedHome, type WatchedPortfolio } from '../../api/portfolios.ts';
import { Badge, Button, EmptyState } from '../../parts/basics.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatCount, formatMany, formatPct, formatPercent, formatUsd } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { ShowMore, useList } from '../../parts/row-pages.tsx';
import { numberColumn, Table, type Column } from '../../parts/table.tsx';
import { HOME, nameOfHome } from './home-column.tsx';
import { RemoveHomesDialog, type ChosenHome } from './remove-homes.tsx';

const LTV_LIMITS = [80, 90, 100];
/** Lenders accept values up to an FSD of 13% for many loans. */
const FSD_LIMITS = [13, 20, 30];

/** The homes of a portfolio, with filters that are in the URL. Chosen homes can be removed. */
export function HomeList(props: {
  readonly portfolio: WatchedPortfolio;
  /** The newest run that was compared. */
  readonly compared: number;
  readonly onChanged: () => void;
}) {
  const { portfolio, compared, onChanged } = props;
  const { portfolio_id: id, alerts } = portfolio;
  const { path, query, route } = useLocation();
  const { value = '', ltv = '', fsd = '' } = query;
  const isFiltered = `${value}${ltv}${fsd}` !== '';
  const [chosen, setChosen] = useState<readonly ChosenHome[]>([]);
  const [isAsking, setAsking] = useState(false);
  const filter = (name: string) => (next: string) => {
    const shown = Object.entries({ ...query, [name]: next }).filter(([, text]) => text !== '');
    setChosen([]);
    route(`${path}?${new URLSearchParams(shown)}`, true);
  };
  const homes = useList<WatchedHome>(
    async (cursor, signal) => {
      const filters = {
        has_value: value === '' ? null : String(value === 'with'),
        ltv_above_pct: limitIn(ltv),
        fsd_above: limitIn(fsd) && Number(fsd) / 100,
      };
      const { properties: rows, next_cursor } = await listHomes(id, { cursor, ...filters }, signal);
      return { rows, next_cursor };
    },
    [id, compared, value, ltv, fsd],
  );
  const { rows } = homes;
  const columns = columnsOf(rows, chosen, setChosen);
  return (
    <Section
      title="Homes"
      lead={
        compared === 0
          ? 'With the values that they came with, until the first run is compared.'
          : 'With the values of the newest run that was compared.'
      }
    >
      <div class="row filters">
        <SelectField label="Value" value={value} choices={VALUE_CHOICES} onInput={filter('value')} />
        <SelectField
          label="LTV"
          value={ltv}
          choices={limitChoices(ltv, [...LTV_LIMITS, alerts.ltv_pct])}
          onInput={filter('ltv')}
        />
        <SelectField
          label="FSD"
          value={fsd}
          choices={limitChoices(fsd, FSD_LIMITS)}
          onInput={filter('fsd')}
        />
        {rows.length > 0 && (
          <Button isSmall onClick={() => setChosen(rows.map(chosenHome))}>
            Select all {formatCount(rows.length)} shown
          </Button>
        )}
        {chosen.length > 0 && (
          <>
            <Button isSmall kind="danger" onClick={() => setAsking(true)}>
              Remove {formatMany(chosen.length, 'home')} …
            </Button>
            <Button isSmall onClick={() => setChosen([])}>
              Clear selection
            </Button>
          </>
        )}
      </div>
      {rows.length > 0 && (
        <Table caption="Homes" columns={columns} rows={rows} keyOf={({ entry }) => entry} />
      )}
      {rows.length === 0 && isFiltered && !homes.isLoading && !homes.problem && (
        <EmptyState title="No home matches." />
      )}
      {rows.some(({ ltv_pct: pct }) => isUnlikelyLtv(pct)) && (
        <p class="quiet small">
          Unlikely: loans of more than 150% or less than 5% of the value. Check the unit of the balance, and
          that the home is the right one.
        </p>
      )}
      <ShowMore list={homes} waiting="Loading the homes" />
      {isAsking && (
        <RemoveHomesDialog
          portfolioId={id}
          homes={chosen}
          onClose={() => setAsking(false)}
          onRemoved={() => {
            setAsking(false);
            setChosen([]);
            homes.reload();
            onChanged();
          }}
        />
      )}
    </Section>
  );
}

const VALUE_CHOICES = [
  { value: '', label: 'any' },
  { value: 'with', label: 'with a value' },
  { value: 'without', label: 'without a value' },
];

/** A limit in the URL; null if there is none. */
function limitIn(text: string): number | null {
  return text !== '' && Number(text) >= 0 ? Number(text) : null;
}

/** Usual limits, and the one in the URL. */
function limitChoices(shown: string, usual: readonly (number | null)[]) {
  const limits = [...new Set([...usual, limitIn(shown)])].filter((limit) => limit !== null);
  const choices = limits
    .sort((a, b) => a - b)
    .map((limit) => ({ value: `${limit}`, label: `above ${limit}%` }));
  return [{ value: '', label: 'any' }, ...choices];
}

function chosenHome(home: WatchedHome): ChosenHome {
  return { entry: home.entry, name: nameOfHome(home) };
}

function columnsOf(
  rows: readonly WatchedHome[],
  chosen: readonly ChosenHome[],
  onChoose: (chosen: readonly ChosenHome[]) => void,
): readonly Column<WatchedHome>[] {
  const entries = new Set(chosen.map(({ entry }) => entry));
  const home: Column<WatchedHome> = {
    ...HOME,
    cell: (row) => (
      <div class="checkbox">
        <input
          type="checkbox"
          aria-label={`Select ${nameOfHome(row)}`}
          checked={entries.has(row.entry)}
          onChange={({ currentTarget: { checked } }) =>
            onChoose(
              checked ? [...chosen, chosenHome(row)] : chosen.filter(({ entry }) => entry !== row.entry),
            )
          }
        />
        <span>{HOME.cell(row)}</span>
      </div>
    ),
  };
  return [home, ...COLUMNS, ...(rows.some(({ error }) => error) ? [REASON] : [])];
}

const COLUMNS: readonly Column<WatchedHome>[] = [
  numberColumn('Value', ({ estimated_value: value }) => value, formatUsd),
  {
    label: '90% range',
    isNumber: true,
    cell: ({ estimated_value_low: low, estimated_value_high: high }) =>
      low !== null && `${formatUsd(low)} – ${formatUsd(high)}`,
  },
  numberColumn('FSD', ({ fsd }) => fsd, formatPercent),
  numberColumn('Balance', ({ loan_balance: balance }) => balance, formatUsd),
  {
    ...numberColumn('LTV', ({ ltv_pct: ltv }: WatchedHome) => ltv, formatPct),
    cell: ({ ltv_pct: ltv }) => (
      <>
        {formatPct(ltv)}
        {isUnlikelyLtv(ltv) && (
          <div>
            <Badge kind="warn">unlikely</Badge>
          </div>
        )}
      </>
    ),
  },
];

const REASON: Column<WatchedHome> = {
  label: 'Without value because',
  isText: true,
  cell: ({ error }) => error ?? '',
};
