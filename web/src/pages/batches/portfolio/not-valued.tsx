import type { PortfolioRow } from '../../../api/batches.ts';
import { Notice } from '../../../parts/basics.tsx';
import { formatCount, formatMany, formatUsd } from '../../../parts/format.ts';
import { Section } from '../../../parts/page.tsx';
import { numberColumn, Table, type Column } from '../../../parts/table.tsx';
import { failureWords } from '../job-words.tsx';
import { failuresByCode, sumOf } from './figures.ts';

/** More rows make a page slow; the download has all. */
const ROWS_SHOWN = 1000;

/** The rows that failed, by reason: what to do about each, and their balances. */
export function NotValued({ rows }: { readonly rows: readonly PortfolioRow[] }) {
  const groups = failuresByCode(rows);
  if (groups.length === 0) return null;
  return (
    <Section
      title={`Not valued (${formatCount(sumOf(groups.map(({ failed }) => failed.length)))})`}
      lead="Correct these rows in the download or in your file, and upload it again. The download has the reason of each row."
    >
      <ul class="cards">
        {groups.map(({ code, failed }) => (
          <li class="card stack" key={code}>
            <strong>
              {failureWords(code).title}: {formatMany(failed.length, 'row')}
              {balanceOf(failed)}
            </strong>
            <p>
              {failureWords(code).advice}
              {code === 'address_not_found' && ' “Value again” above suggests addresses.'}
            </p>
            <details class="plot-table">
              <summary>List the rows</summary>
              <Table
                caption={`Rows that were not valued: ${failureWords(code).title}`}
                columns={COLUMNS}
                rows={failed.slice(0, ROWS_SHOWN)}
                keyOf={({ row }) => row}
              />
            </details>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function balanceOf(rows: readonly PortfolioRow[]): string {
  const balance = sumOf(rows.map((row) => row.balance ?? 0));
  return balance === 0 ? '' : `, ${formatUsd(balance)} balance`;
}

/** Loans whose balance is no number or below 0: valued, but without a loan-to-value ratio. */
export function UnreadBalances({ rows }: { readonly rows: readonly PortfolioRow[] }) {
  const unread = rows.filter(({ balance_problem: problem }) => problem !== null);
  if (unread.length === 0) return null;
  const listed = unread.slice(0, 5).map(({ reference, balance_problem: why }) => `${reference} (${why})`);
  const more = unread.length - listed.length;
  return (
    <Notice kind="warn">
      The balance of {formatMany(unread.length, 'row')} is not used and not in the totals: {listed.join(', ')}
      {more > 0 && ` and ${formatCount(more)} more`}.
    </Notice>
  );
}

const COLUMNS: readonly Column<PortfolioRow>[] = [
  { label: 'Row', isNumber: true, sortBy: ({ row }) => row, cell: ({ row }) => row },
  {
    label: 'Reference',
    isRowHeader: true,
    sortBy: ({ reference }) => reference,
    cell: ({ reference }) => reference,
  },
  { label: 'Reason', isText: true, sortBy: ({ error }) => error, cell: ({ error }) => error },
  numberColumn('Balance', ({ balance }) => balance, formatUsd),
];
