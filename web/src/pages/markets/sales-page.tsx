import './markets.css';
import { useLocation, useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { marketName } from '../../../../src/domain/market-name.ts';
import {
  listSaleReviews,
  listSalesToReview,
  salesFileOf,
  type SaleReview,
  type SalesToReview,
  type SaleToReview,
} from '../../api/markets.ts';
import { useRequest } from '../../api/use-request.ts';
import { Badge, Button, EmptyState, Notice, WhenLoaded } from '../../parts/basics.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import {
  formatCount,
  formatDay,
  formatMany,
  formatMoment,
  formatUsd,
  withReadableDates,
} from '../../parts/format.ts';
import { Page, Section } from '../../parts/page.tsx';
import { ShowMore, useList } from '../../parts/row-pages.tsx';
import { actionsColumn, dateColumn, numberColumn, Table, type Column } from '../../parts/table.tsx';
import { useTypedText } from '../../parts/use-typed-text.ts';
import { FLAG_NAMES } from './flag-words.ts';
import { byOf, decisionOf, ReviewDialog } from './review-dialog.tsx';

/** What the list shows; empty texts for everything. */
interface SalesFilter {
  readonly flag: string;
  readonly decision: string;
  readonly find: string;
}

/** Which sales a market uses: flagged sales with the reason, and the operator's decisions. */
export default function SalesPage() {
  const { id = '' } = useRoute().params;
  const { query } = useLocation();
  const [flag, setFlag] = useState('');
  const [decision, setDecision] = useState('');
  const [words, setWords] = useState(query.find ?? '');
  const [open, setOpen] = useState<SaleToReview | null>(null);
  const [isChanged, setChanged] = useState(false);
  const filter = { flag, decision, find: useTypedText(words) };
  const sales = useSales(id, filter);
  const reviews = useRequest((signal) => listSaleReviews(id, null, signal), [id]);
  return (
    <Page
      title={`Sales of ${marketName(id)}`}
      isWide
      lead="Flagged sales say little about market value, so values do not use them. Decide about any sale: the next training as of today or later applies it, and values as of earlier days stay the same."
      actions={
        <>
          <a class="button" href={salesFileOf(id, searchOf(filter))} download>
            Download CSV
          </a>
          <a class="button" href={`/console/markets/${id}`}>
            Back to the market
          </a>
        </>
      }
    >
      {isChanged && (
        <Notice kind="ok" title="Saved">
          <p>
            The next training as of today or later applies it. Start one on{' '}
            <a href={`/console/markets/${id}`}>the market’s page</a>.
          </p>
        </Notice>
      )}
      <div class="sales-filter">
        <SelectField label="Reason" value={flag} choices={reasonChoices(sales.flags)} onInput={setFlag} />
        <SelectField label="Decision" value={decision} choices={DECISIONS} onInput={setDecision} />
        <TextField
          label="Find any sale"
          type="search"
          hint="Part of an address or of a record ID. Finds sales without a flag, too."
          value={words}
          onInput={setWords}
          maxLength={100}
        />
      </div>
      <SaleList sales={sales} filter={filter} onOpen={setOpen} />
      <Section title="Decisions" lead="Newest first. Each counts from its day until a later decision does.">
        <WhenLoaded of={reviews} waiting="Loading the decisions">
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState title="Nobody has reviewed a sale yet." />
            ) : (
              <Table
                caption="Decisions"
                columns={[decidedSaleColumn(setWords), ...REVIEW_COLUMNS]}
                rows={rows}
                keyOf={({ record_id, at }, i) => `${record_id} ${at} ${i}`}
              />
            )
          }
        </WhenLoaded>
      </Section>
      {open && (
        <ReviewDialog
          market={id}
          sale={open}
          onClose={() => setOpen(null)}
          onSaved={() => {
            setOpen(null);
            setChanged(true);
            reviews.reload();
            void sales.showDecided(open.record_id);
          }}
        />
      )}
    </Page>
  );
}

function searchOf({ flag, decision, find }: SalesFilter) {
  return { flag: flag || null, decision: decision || null, find };
}

type ShownSales = ReturnType<typeof useSales>;

/** The sales of a market, and how many have each flag. */
function useSales(id: string, filter: SalesFilter) {
  const [flags, setFlags] = useState<SalesToReview['flags']>([]);
  const [total, setTotal] = useState(0);
  /** Sales as they are after a decision: the list stays as it was, so that the user keeps the place. */
  const [decided, setDecided] = useState<ReadonlyMap<string, SaleToReview>>(new Map());
  const list = useList<SaleToReview>(
    async (cursor, signal) => {
      const page = await listSalesToReview(id, { ...searchOf(filter), cursor }, signal);
      // A search also counts its own sales without a flag: the choices stay those of the whole market.
      if (filter.find === '') setFlags(page.flags);
      setTotal(page.total);
      return { rows: page.sales, next_cursor: page.next_cursor };
    },
    [id, filter.flag, filter.decision, filter.find],
  );
  const showDecided = (recordId: string): Promise<void> =>
    listSalesToReview(id, { flag: null, decision: null, find: recordId, cursor: null }).then(({ sales }) => {
      const sale = sales.find(({ record_id }) => record_id === recordId);
      if (sale) setDecided((before) => new Map(before).set(recordId, sale));
      else list.reload();
    }, list.reload);
  const rows = list.rows.map((sale) => decided.get(sale.record_id) ?? sale);
  return { list, rows, flags, total, showDecided };
}

function reasonChoices(flags: SalesToReview['flags']) {
  const all = flags.reduce((sum, { sales }) => sum + sales, 0);
  return [
    { value: '', label: all === 0 ? 'All reasons' : `All reasons (${formatMany(all, 'sale')})` },
    ...flags.map(({ flag, sales }) => {
      return { value: flag, label: `${FLAG_NAMES[flag]} (${formatMany(sales, 'sale')})` };
    }),
  ];
}

const DECISIONS = [
  { value: '', label: 'Flagged sales, decided or not' },
  { value: 'any', label: 'All decided sales' },
  { value: 'use', label: 'Decided: use' },
  { value: 'do_not_use', label: 'Decided: do not use' },
] as const;

function SaleList(props: {
  readonly sales: ShownSales;
  readonly filter: SalesFilter;
  readonly onOpen: (sale: SaleToReview) => void;
}) {
  const { sales, filter, onOpen } = props;
  const { list, rows, total } = sales;
  return (
    <>
      {rows.length > 0 && (
        <>
          <p class="quiet small" role="status">
            {formatCount(rows.length)} of {formatMany(total, 'sale')}, newest first
          </p>
          <Table
            caption="Sales"
            columns={[...COLUMNS, reviewColumn(onOpen)]}
            rows={rows}
            keyOf={({ record_id }) => record_id}
          />
        </>
      )}
      {!list.isLoading && !list.problem && rows.length === 0 && <EmptyState title={emptyTitle(filter)} />}
      <ShowMore list={list} waiting="Loading the sales" />
    </>
  );
}

function emptyTitle({ find, decision }: SalesFilter): string {
  if (find !== '') return 'No sale has this address or record ID.';
  return decision === '' ? 'No sale is flagged.' : 'No sale has this decision.';
}

const COLUMNS: readonly Column<SaleToReview>[] = [
  {
    label: 'Sale',
    isRowHeader: true,
    cell: ({ address, record_id }) => (
      <>
        <span class="nowrap">{address || 'No address'}</span>
        <div class="quiet small">{record_id}</div>
      </>
    ),
  },
  dateColumn('Sold', ({ sold_on }) => sold_on, formatDay),
  numberColumn('Price', ({ price }) => price, formatUsd),
  {
    ...numberColumn('Per sq ft', (sale: SaleToReview) => sale.price_per_sqft),
    cell: ({ price_per_sqft, nearby_price_per_sqft }) => (
      <>
        {formatUsd(price_per_sqft)}
        <div class="quiet small nowrap">nearby {formatUsd(nearby_price_per_sqft)}</div>
      </>
    ),
  },
  {
    label: 'Reason',
    isText: true,
    cell: ({ flag, sentence, flagged_on, review }) => (
      <>
        <strong>{FLAG_NAMES[flag]}.</strong> {withReadableDates(sentence)}
        {flagged_on && ` Flagged ${formatDay(flagged_on)}.`}
        {review && (
          <div class="quiet small">
            {byOf(review)}, {formatDay(review.at)}: {review.reason}
          </div>
        )}
      </>
    ),
  },
  {
    label: 'Status',
    cell: ({ is_used }) => (is_used ? <Badge kind="ok">used</Badge> : <Badge kind="warn">not used</Badge>),
  },
];

function reviewColumn(onOpen: (sale: SaleToReview) => void): Column<SaleToReview> {
  return actionsColumn((sale) => (
    <Button isSmall label={`Review ${sale.address || sale.record_id}`} onClick={() => onOpen(sale)}>
      Review
    </Button>
  ));
}

function decidedSaleColumn(onFind: (recordId: string) => void): Column<SaleReview> {
  return {
    label: 'Sale',
    isRowHeader: true,
    cell: ({ record_id: recordId }) => (
      <button type="button" class="link" title="Show this sale above" onClick={() => onFind(recordId)}>
        {recordId}
      </button>
    ),
  };
}

const REVIEW_COLUMNS: readonly Column<SaleReview>[] = [
  { label: 'Decision', cell: decisionOf },
  { label: 'Reason', isText: true, cell: ({ reason }) => reason },
  { label: 'By', cell: byOf },
  dateColumn('When', ({ at }) => at, formatMoment),
  dateColumn('Counts from', ({ from }) => from, formatDay),
];
