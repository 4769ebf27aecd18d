import { useState } from 'preact/hooks';
import { csvOfAudit, readAudit, type AuditEntry } from '../../api/account.ts';
import { EmptyState } from '../../parts/basics.tsx';
import { TextField } from '../../parts/field.tsx';
import { formatMoment } from '../../parts/format.ts';
import { ShowMore, useList } from '../../parts/row-pages.tsx';
import { Page } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { useTypedText } from '../../parts/use-typed-text.ts';
import { useSession } from '../../shell/session-context.tsx';
import { actionOf, actorOf, detailsOf } from './describe-entry.ts';

export default function AuditPage() {
  const { session } = useSession();
  const columns = session.is_operator ? COLUMNS : COLUMNS.filter(({ label }) => label !== 'Account');
  const [words, setWords] = useState('');
  const find = useTypedText(words);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const filter = { find, from: from || null, to: to || null };
  const isFiltered = find !== '' || from !== '' || to !== '';
  const list = useList<AuditEntry>(
    async (cursor, signal) => {
      const { entries: rows, next_cursor } = await readAudit(filter, cursor, signal);
      return { rows, next_cursor };
    },
    [find, from, to],
  );
  return (
    <Page
      title="Audit"
      isWide
      lead="Every change: when, by whom, and what. Entries are never changed."
      actions={
        <a class="button" href={csvOfAudit(filter)} download>
          Download CSV
        </a>
      }
    >
      <div class="stack">
        <div class="row filters">
          <TextField label="From (UTC)" type="date" value={from} onInput={setFrom} />
          <TextField
            label="To (UTC)"
            type="date"
            value={to}
            error={
              from !== '' && to !== '' && to < from ? 'Choose a day that is not before the first.' : null
            }
            onInput={setTo}
          />
        </div>
        <TextField
          label="Search"
          type="search"
          value={words}
          onInput={setWords}
          maxLength={100}
          hint={`Searches User, Change, Target${session.is_operator ? ', Account' : ''} and Details of all entries.`}
        />
        {list.rows.length > 0 && (
          <Table caption="Audit log" columns={columns} rows={list.rows} keyOf={({ id }) => id} />
        )}
        {list.rows.length === 0 && !list.isLoading && !list.problem && (
          <EmptyState title={isFiltered ? 'No entry matches.' : 'No changes yet'} />
        )}
        <ShowMore list={list} waiting="Loading the audit log" />
      </div>
    </Page>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    label: 'Time',
    isRowHeader: true,
    cell: ({ at }) => (
      <time class="nowrap" dateTime={at}>
        {formatMoment(at)}
      </time>
    ),
  },
  { label: 'User', cell: actorOf },
  { label: 'Change', cell: actionOf },
  { label: 'Target', cell: ({ subject }) => subject && <code>{subject}</code> },
  // Only operators see entries of other accounts.
  { label: 'Account', cell: ({ account_id }) => <code>{account_id}</code> },
  {
    label: 'Details',
    isText: true,
    cell: (entry) => <span class="quiet small">{detailsOf(entry).join(' · ')}</span>,
  },
];
