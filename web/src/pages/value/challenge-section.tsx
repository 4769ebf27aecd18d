import { useState } from 'preact/hooks';
import {
  decideChallenge,
  listChallenges,
  saveChallenge,
  type Challenge,
  type ChallengePreview,
  type Decision,
} from '../../api/challenges.ts';
import { CHANGE_CAUSE_LABELS } from '../../../../src/domain/change-causes.ts';
import { errorIn, fieldError } from '../../api/problem.ts';
import { reportUrl } from '../../api/reports.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import type { SaleComparable } from '../../api/valuations.ts';
import { Badge, Button, ProblemNotice } from '../../parts/basics.tsx';
import { FormDialog, ReasonField } from '../../parts/dialog.tsx';
import { Checkbox, Segments, TextField } from '../../parts/field.tsx';
import { formatChangeUsd, formatDay, formatMoment, formatUsd } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { actionsColumn, dateColumn, numberColumn, Table } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { AddSaleDialog } from './change-dialogs.tsx';
import {
  NO_CHANGES,
  withExclusion,
  withoutAdded,
  withoutExclusion,
  withOverrides,
  withPin,
} from './changes.ts';
import { labelOf } from './fields.ts';
import type { ShownChallenge } from './use-challenge.ts';

/** The user's changes of the comparables, what each does to the value, and the challenges that were saved. */
export function ChallengeSection({ challenge }: { readonly challenge: ShownChallenge }) {
  const { id, changes, change, isChanged, preview, isChoosing, setChoosing } = challenge;
  const [open, setOpen] = useState<'add' | 'save' | null>(null);
  const [saves, setSaves] = useState(0);
  if (id === null) return null;
  const close = (): void => setOpen(null);
  const { problem } = preview;
  const isAtSale = changes.added.some((_, at) => errorOfAdded(challenge, at) !== null);
  return (
    <Section
      title="Challenge this value"
      lead="Pin or exclude comparables above, add sales, or change adjustments. The model’s own value stays as it is."
      actions={
        <>
          <Button isSmall onClick={() => setChoosing(!isChoosing)}>
            {isChoosing ? 'Hide other sales' : 'Choose from other sales'}
          </Button>
          <Button isSmall onClick={() => setOpen('add')}>
            Add a sale
          </Button>
          {isChanged && (
            <>
              <Button isSmall onClick={() => change(NO_CHANGES)}>
                Discard changes
              </Button>
              <Button isSmall kind="primary" isDisabled={problem !== null} onClick={() => setOpen('save')}>
                Save challenge
              </Button>
            </>
          )}
        </>
      }
    >
      {problem && !isAtSale && <ProblemNotice problem={problem} onRetry={preview.reload} />}
      {isChanged && preview.data && <Split preview={preview.data} />}
      {isChanged && <ChangeList challenge={challenge} />}
      {isChoosing && preview.data?.candidates && (
        <Candidates
          preview={preview.data}
          candidates={preview.data.candidates.items}
          onPin={(compId) => change(withPin(changes, compId, true))}
        />
      )}
      <SavedChallenges id={id} saves={saves} />
      {open === 'add' && (
        <AddSaleDialog
          onClose={close}
          onAdd={(sale) => change({ ...changes, added: [...changes.added, sale] })}
        />
      )}
      {open === 'save' && (
        <SaveDialog challenge={challenge} id={id} onClose={close} onSaved={() => setSaves(saves + 1)} />
      )}
    </Section>
  );
}

/** What each kind of change does to the value. The amounts add up to the whole change. */
function Split({ preview: { valuation, changes } }: { readonly preview: ChallengePreview }) {
  const { before, split } = changes;
  return (
    <p class="sum-line split" role="status">
      {formatUsd(before.point_value)} by the model
      {split
        .filter(({ amount }) => amount !== 0)
        .map(({ cause, amount }) => (
          <span key={cause}>
            {' '}
            <strong>{formatChangeUsd(amount)}</strong>{' '}
            <span class="quiet">({CHANGE_CAUSE_LABELS[cause]})</span>
          </span>
        ))}{' '}
      = <strong>{formatUsd(valuation.point_value)}</strong>
    </p>
  );
}

function ChangeList({ challenge }: { readonly challenge: ShownChallenge }) {
  const { changes, change, preview, base } = challenge;
  const items = [...(preview.data?.comparables.items ?? []), ...(base?.answer.comparables.items ?? [])];
  const titleOf = (id: string): string => {
    const excluded = preview.data?.changes.excluded.find(({ comp_id }) => comp_id === id);
    const item = items.find(({ comp_id }) => comp_id === id);
    return item?.street_address ?? item?.formatted_address ?? excluded?.formatted_address ?? id;
  };
  const { pinned, excluded, added, overrides } = changes;
  return (
    <ul class="changes">
      {Object.entries(excluded).map(([id, reason]) => (
        <li key={id} class="row">
          <span>
            Excluded: <strong>{titleOf(id)}</strong>
          </span>
          <input
            class="input reason"
            aria-label={`Reason for excluding ${titleOf(id)}`}
            maxLength={500}
            value={reason}
            onChange={(event) => change(withExclusion(changes, id, event.currentTarget.value))}
          />
          <Button
            isSmall
            label={`Include ${titleOf(id)}`}
            onClick={() => change(withoutExclusion(changes, id))}
          >
            Include
          </Button>
        </li>
      ))}
      {added.map((sale, at) => (
        <li key={JSON.stringify(sale)} class="row">
          <span>
            Added: <strong>{sale.address ?? sale.comp_id}</strong> {formatUsd(sale.sale_price)},{' '}
            {sale.sale_date && formatDay(sale.sale_date)}
          </span>
          <Button isSmall onClick={() => change(withoutAdded(changes, at))}>
            Remove
          </Button>
          <AddedError error={errorOfAdded(challenge, at)} />
        </li>
      ))}
      {overrides.map(({ comp_id, field, amount, reason }) => (
        <li key={`${comp_id} ${field}`} class="row">
          <span>
            {titleOf(comp_id)}: <strong>{labelOf(field)}</strong> {formatChangeUsd(amount)},{' '}
            <span class="quiet">{reason}</span>
          </span>
          <Button
            isSmall
            onClick={() =>
              change(
                withOverrides(
                  changes,
                  comp_id,
                  overrides.filter((other) => other.comp_id === comp_id && other.field !== field),
                ),
              )
            }
          >
            Reset
          </Button>
        </li>
      ))}
      {pinned.length + added.length > 0 && (
        <li>
          <Checkbox
            label="Use the pinned and added sales only"
            isChecked={changes.isOnlyPinned}
            onChange={(isOnlyPinned) => change({ ...changes, isOnlyPinned })}
          />
        </li>
      )}
    </ul>
  );
}

function errorOfAdded({ preview, isChanged }: ShownChallenge, at: number): string | null {
  return isChanged ? errorIn(preview.problem, `comparables.added.${at}`) : null;
}

function AddedError({ error }: { readonly error: string | null }) {
  if (error === null) return null;
  return (
    <span class="wrong" role="alert">
      This sale {error.replace(/\.$/, '')}. The value does not include it.
    </span>
  );
}

/** The sales within the limits of the list that the value does not use. */
function Candidates(props: {
  readonly preview: ChallengePreview;
  readonly candidates: readonly SaleComparable[];
  readonly onPin: (compId: string) => void;
}) {
  const { preview, candidates, onPin } = props;
  const used = new Set(preview.comparables.items.map(({ comp_id }) => comp_id));
  for (const { comp_id } of preview.changes.excluded) used.add(comp_id);
  const others = candidates.filter(({ comp_id }) => !used.has(comp_id));
  if (others.length === 0)
    return (
      <p class="quiet small">
        The value uses every sale within the limits of the list. Choose a larger radius or more months.
      </p>
    );
  return (
    <Table
      caption="Other sales"
      rows={others}
      keyOf={({ comp_id }) => comp_id}
      columns={[
        {
          label: 'Sale',
          isRowHeader: true,
          cell: ({ street_address, comp_id }) => street_address ?? comp_id,
        },
        dateColumn<SaleComparable>('Sold', ({ sale_date }) => sale_date, formatDay),
        numberColumn<SaleComparable>('Miles', ({ distance_mi }) => distance_mi),
        numberColumn<SaleComparable>('Price', ({ sale_price }) => sale_price, formatUsd),
        numberColumn<SaleComparable>('Adjusted', ({ adjusted_price }) => adjusted_price, formatUsd),
        numberColumn<SaleComparable>('Net %', ({ net_adjustment_pct }) => net_adjustment_pct),
        numberColumn<SaleComparable>('Gross %', ({ gross_adjustment_pct }) => gross_adjustment_pct),
        actionsColumn<SaleComparable>(({ comp_id, street_address }) => (
          <Button isSmall label={`Use ${street_address ?? comp_id}`} onClick={() => onPin(comp_id)}>
            Use
          </Button>
        )),
      ]}
    />
  );
}

function SaveDialog(props: {
  readonly challenge: ShownChallenge;
  readonly id: string;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { challenge, id, onClose, onSaved } = props;
  const [note, setNote] = useState('');
  const saving = useAction(async () => {
    await saveChallenge(id, { ...challenge.body, note });
    onSaved();
    onClose();
  });
  return (
    <FormDialog title="Save challenge" action="Save" busy="Saving …" doing={saving} onClose={onClose}>
      <TextField
        label="Note"
        hint="What it is about. Saving costs as much as a value."
        value={note}
        maxLength={2000}
        onInput={setNote}
        error={fieldError(saving.problem, 'note')}
      />
    </FormDialog>
  );
}

/** The saved challenges of a valuation, and their decisions. */
function SavedChallenges({ id, saves }: { readonly id: string; readonly saves: number }) {
  const list = useRequest((signal) => listChallenges(id, signal), [id, saves]);
  const [deciding, setDeciding] = useState<Challenge | null>(null);
  const { isAdministrator } = useSession();
  if (list.problem) return <ProblemNotice problem={list.problem} onRetry={list.reload} />;
  if (!list.data || list.data.length === 0) return null;
  return (
    <>
      <Table
        caption="Saved challenges"
        rows={list.data}
        keyOf={({ valuation_id }) => valuation_id}
        columns={[
          { label: 'Version', isRowHeader: true, cell: ({ version }) => version },
          { label: 'Note', isText: true, cell: ({ note }) => note ?? '' },
          numberColumn<Challenge>('Value', ({ changed_value }) => changed_value, formatUsd),
          numberColumn<Challenge>('Change', (one) => one.changed_value - one.original_value, formatChangeUsd),
          {
            label: 'Saved',
            cell: ({ created_by, created_at }) => `${created_by}, ${formatMoment(created_at)}`,
          },
          {
            label: 'Decision',
            cell: ({ decision }) =>
              decision && (
                <>
                  <Badge kind={decision.decision === 'accepted' ? 'ok' : 'error'}>{decision.decision}</Badge>{' '}
                  <span class="small quiet">
                    {decision.reason} ({decision.decided_by})
                  </span>
                </>
              ),
          },
          actionsColumn<Challenge>((one) => (
            <>
              <a
                class="button small"
                href={reportUrl(one.valuation_id, { version: 'appeal', format: 'pdf', paper: 'letter' })}
                target="_blank"
                rel="noreferrer"
                aria-label={`Appeal report of version ${one.version} (PDF)`}
              >
                Appeal report
              </a>
              {isAdministrator && one.decision === null && (
                <Button isSmall label={`Decide version ${one.version}`} onClick={() => setDeciding(one)}>
                  Decide
                </Button>
              )}
            </>
          )),
        ]}
      />
      {deciding && (
        <DecideDialog
          challenge={deciding}
          onClose={() => setDeciding(null)}
          onDecided={() => {
            setDeciding(null);
            list.reload();
          }}
        />
      )}
    </>
  );
}

function DecideDialog(props: {
  readonly challenge: Challenge;
  readonly onClose: () => void;
  readonly onDecided: () => void;
}) {
  const { challenge, onClose, onDecided } = props;
  const [decision, setDecision] = useState<Decision>('accepted');
  const [reason, setReason] = useState('');
  const deciding = useAction(async () => {
    await decideChallenge(challenge.valuation_id, decision, reason);
    onDecided();
  });
  return (
    <FormDialog
      title={`Decide version ${challenge.version}`}
      action={decision === 'accepted' ? 'Accept' : 'Reject'}
      busy="Deciding …"
      isDisabled={reason.trim() === ''}
      doing={deciding}
      onClose={onClose}
    >
      <Segments aria-label="Decision" choices={DECISION_CHOICES} value={decision} onChange={setDecision} />
      <ReasonField value={reason} onInput={setReason} maxLength={2000} doing={deciding} />
    </FormDialog>
  );
}

const DECISION_CHOICES = [
  { value: 'accepted', label: 'Accept' },
  { value: 'rejected', label: 'Reject' },
] as const satisfies readonly { readonly value: Decision; readonly label: string }[];
