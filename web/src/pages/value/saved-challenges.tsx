import { useState } from 'preact/hooks';
import {
  decideChallenge,
  listAccountChallenges,
  listChallenges,
  type Challenge,
  type Decision,
} from '../../api/challenges.ts';
import { reportUrl } from '../../api/reports.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { readValuation } from '../../api/valuations.ts';
import { Badge, Button, ProblemNotice } from '../../parts/basics.tsx';
import { FormDialog, ReasonField } from '../../parts/dialog.tsx';
import { Segments } from '../../parts/field.tsx';
import { formatChangeUsd, formatMoment, formatUsd } from '../../parts/format.ts';
import { actionsColumn, Table } from '../../parts/table.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { assessmentText } from './words.ts';

export type SavedChallengeList = ReturnType<typeof useSavedChallenges>;

/** The saved challenges of a valuation, then those of earlier valuations of the home, with their decisions. */
export function useSavedChallenges(
  /** Of the original, or of one of its challenges. Null for values that cannot be challenged. */
  id: string | null,
  /** The challenge that was saved last, to list it. */
  saved: string | null,
  /** Of the home; null if it has none. */
  address: string | null,
) {
  return useRequest(
    async (signal) => {
      if (id === null) return { own: [], all: [] };
      const own = await listChallenges(id, signal);
      if (address === null) return { own, all: own };
      const { challenges } = await listAccountChallenges({ state: null, cursor: null, address }, signal);
      const isOwn = ({ valuation_id: other }: Challenge) =>
        own.some(({ valuation_id }) => valuation_id === other);
      return { own, all: [...own, ...challenges.filter((one) => !isOwn(one))] };
    },
    [id, saved, address],
  );
}

export function SavedChallenges({ id, list }: { readonly id: string; readonly list: SavedChallengeList }) {
  const [deciding, setDeciding] = useState<Challenge | null>(null);
  const { isAdministrator } = useSession();
  if (list.problem) return <ProblemNotice problem={list.problem} onRetry={list.reload} />;
  if (!list.data || list.data.all.length === 0) return null;
  const { own, all } = list.data;
  const originalId = own[0]?.original_valuation_id ?? id;
  return (
    <>
      {originalId !== id && (
        <p>
          <a href={`/console/value?valuation=${originalId}&revise=${id}`}>Revise this challenge</a>
          {' · '}
          <a href={`/console/value?valuation=${originalId}`}>Open the original value</a>
        </p>
      )}
      <h3>Saved challenges</h3>
      <Table
        caption="Saved challenges"
        rows={all}
        keyOf={({ valuation_id }) => valuation_id}
        columns={[
          // Few columns, so that a phone shows the buttons.
          {
            label: 'Version',
            isRowHeader: true,
            cell: (one) => <Version challenge={one} isOfOther={one.original_valuation_id !== originalId} />,
          },
          {
            label: 'Value',
            isNumber: true,
            sortBy: ({ changed_value: value }) => value,
            cell: ({ changed_value: value, original_value: before }) => (
              <>
                {formatUsd(value)}
                <span class="quiet small second-line">{formatChangeUsd(value - before)}</span>
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

function Version(props: { readonly challenge: Challenge; readonly isOfOther: boolean }) {
  const { challenge, isOfOther } = props;
  const { version, valuation_id: id, note, created_by: by, created_at: at, decision } = challenge;
  return (
    <>
      <a href={`/console/value?valuation=${id}`}>Version {version}</a>
      {isOfOther && <span class="quiet small second-line">of an earlier valuation of this home</span>}
      {note && <span class="small second-line">{note}</span>}
      <span class="quiet small second-line">
        {by}, {formatMoment(at)}
      </span>
      {decision && (
        <span class="small second-line">
          <Badge kind={decision.decision === 'accepted' ? 'ok' : 'error'}>{decision.decision}</Badge>{' '}
          <span class="quiet">
            {decision.reason} ({decision.decided_by})
          </span>
        </span>
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
  const isOwn = challenge.created_by === useSession().session.user.name;
  const [decision, setDecision] = useState<Decision | null>(null);
  const [reason, setReason] = useState('');
  const challenged = useRequest((signal) => readValuation(challenge.valuation_id, signal), []);
  const { assessment = null } = (challenged.data?.kind === 'home' && challenged.data.response.changes) || {};
  const deciding = useAction(async () => {
    if (decision === null) return;
    await decideChallenge(challenge.valuation_id, decision, reason);
    onDecided();
  });
  return (
    <FormDialog
      title={`Decide version ${challenge.version}`}
      action={DECISION_CHOICES.find(({ value }) => value === decision)?.label ?? 'Decide'}
      busy="Deciding …"
      doing={deciding}
      onClose={onClose}
    >
      <p>
        {formatUsd(challenge.changed_value)} instead of {formatUsd(challenge.original_value)}. The decision is
        final, and the audit log records it.
        {isOwn && ' You saved this challenge yourself: usually someone else decides.'}
      </p>
      {challenge.note && <p class="quiet">{challenge.note}</p>}
      {assessment && <p>Appealed assessment: {assessmentText(assessment)}</p>}
      <Segments
        aria-label="Decision"
        choices={DECISION_CHOICES}
        value={decision}
        onChange={setDecision}
        isRequired
      />
      <ReasonField value={reason} onInput={setReason} maxLength={2000} doing={deciding} />
    </FormDialog>
  );
}

const DECISION_CHOICES = [
  { value: 'accepted', label: 'Accept' },
  { value: 'rejected', label: 'Reject' },
] as const satisfies readonly { readonly value: Decision; readonly label: string }[];
