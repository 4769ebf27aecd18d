import { useState } from 'preact/hooks';
import { listAccountChallenges, type Challenge, type ChallengeState } from '../../api/challenges.ts';
import { Badge, EmptyState } from '../../parts/basics.tsx';
import { Segments } from '../../parts/field.tsx';
import { formatChangeUsd, formatMoment, formatUsd } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { ShowMore, useList } from '../../parts/row-pages.tsx';
import { numberColumn, Table } from '../../parts/table.tsx';

const STATE_CHOICES = [
  { value: 'open', label: 'To decide' },
  { value: null, label: 'All' },
] as const satisfies readonly { readonly value: ChallengeState | null; readonly label: string }[];

/** The challenges of the account, those to decide first. A challenge is decided on the page of its value. */
export function ChallengeList() {
  const [state, setState] = useState<ChallengeState | null>('open');
  const list = useList<Challenge>(
    async (cursor, signal) => {
      const { challenges: rows, next_cursor } = await listAccountChallenges({ state, cursor }, signal);
      return { rows, next_cursor };
    },
    [state],
  );
  return (
    <Section title="Challenges" lead="Saved on the pages of their values, where administrators decide them.">
      <div class="stack">
        <Segments aria-label="Challenges shown" choices={STATE_CHOICES} value={state} onChange={setState} />
        {list.rows.length > 0 && (
          <Table
            caption="Challenges"
            rows={list.rows}
            keyOf={({ valuation_id }) => valuation_id}
            columns={[
              {
                label: 'Home',
                isRowHeader: true,
                isText: true,
                cell: ({ valuation_id: id, formatted_address: address, version, note }) => (
                  <>
                    <a href={`/console/value?valuation=${id}`}>{`${address ?? id}, version ${version}`}</a>
                    {note && <span class="quiet small second-line">{note}</span>}
                  </>
                ),
              },
              numberColumn<Challenge>('Value', ({ changed_value: value }) => value, formatUsd),
              {
                label: 'Change',
                isNumber: true,
                cell: ({ changed_value: value, original_value: before }) => formatChangeUsd(value - before),
              },
              {
                label: 'Saved',
                cell: ({ created_by: by, created_at: at }) => (
                  <>
                    {by}
                    <span class="quiet small second-line nowrap">{formatMoment(at)}</span>
                  </>
                ),
              },
              { label: 'Decision', isText: true, cell: (one) => <DecisionOf challenge={one} /> },
            ]}
          />
        )}
        {list.rows.length === 0 && !list.isLoading && !list.problem && (
          <EmptyState title={state === 'open' ? 'No challenge waits for a decision.' : 'No challenge yet'} />
        )}
        <ShowMore list={list} waiting="Loading the challenges" />
      </div>
    </Section>
  );
}

function DecisionOf({ challenge: { decision } }: { readonly challenge: Challenge }) {
  if (decision === null) return <>to decide</>;
  const { decision: what, decided_by: by, reason } = decision;
  return (
    <>
      <Badge kind={what === 'accepted' ? 'ok' : 'error'}>{what}</Badge> by {by}
      <span class="quiet small second-line">{reason}</span>
    </>
  );
}
