import { useState } from 'preact/hooks';
import { readAudit, type AuditEntry } from '../../api/administration.ts';
import { TextField } from '../../parts/field.tsx';
import { formatMoment } from '../../parts/format.ts';
import { MoreButton, useList } from '../../parts/more.tsx';
import { EmptyState } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { usePaused } from '../../parts/use-paused.ts';
import { useSession } from '../../shell/session-context.tsx';
import { actionOf, actorOf, detailsOf } from './describe-entry.ts';

/** Each answer is a look through the log: one for what was typed, not one for each letter. */
const PAUSE_MS = 250;

export default function AuditPage() {
  const { session } = useSession();
  const columns = session.is_operator ? COLUMNS : COLUMNS.filter(({ name }) => name !== 'account');
  const [words, setWords] = useState('');
  const find = usePaused(words.trim(), PAUSE_MS);
  const list = useList<AuditEntry>(
    async (cursor, signal) => {
      const { entries, next_cursor } = await readAudit(find, cursor, signal);
      return { rows: entries, nextCursor: next_cursor };
    },
    [find],
  );
  return (
    <Page
      title="Audit"
      isWide
      lead="Every change: who made it, when, and what it was. Entries are added and never changed."
    >
      <div class="stack">
        <TextField
          label="Find"
          type="search"
          value={words}
          onInput={setWords}
          maxLength={100}
          hint={`Words of the columns ${session.is_operator ? 'Who, What, Of and Account' : 'Who, What and Of'}, or parts of them; entries of any age are found.`}
        />
        {list.rows.length > 0 && (
          <Table caption="Audit log" columns={columns} rows={list.rows} keyOf={({ id }) => id} />
        )}
        {list.rows.length === 0 && !list.isLoading && !list.problem && (
          <EmptyState title={find === '' ? 'Nothing was changed yet.' : 'No entry has these words.'} />
        )}
        <MoreButton list={list} waiting="Reading the audit log" />
      </div>
    </Page>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    name: 'at',
    label: 'When',
    isRowHeader: true,
    cell: ({ at }) => (
      <time class="nowrap" dateTime={at}>
        {formatMoment(at)}
      </time>
    ),
  },
  { name: 'actor', label: 'Who', cell: actorOf },
  { name: 'action', label: 'What', cell: (entry) => <span class="nowrap">{actionOf(entry)}</span> },
  { name: 'subject', label: 'Of', cell: ({ subject }) => subject && <code>{subject}</code> },
  // Operators see what happened in every account.
  { name: 'account', label: 'Account', cell: ({ account_id }) => <code>{account_id}</code> },
  {
    name: 'detail',
    label: 'Detail',
    isText: true,
    cell: (entry) => <span class="quiet small">{detailsOf(entry).join(' · ')}</span>,
  },
];
