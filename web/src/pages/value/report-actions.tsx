import { useState } from 'preact/hooks';
import {
  createShare,
  listShares,
  reportUrl,
  revokeShare,
  type CreatedShare,
  type Paper,
  type Preparation,
  type ReportVersion,
  type Share,
} from '../../api/reports.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatMany, formatMoment, formatUsd } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { useRemembered } from '../../parts/remembered.ts';
import { actionsColumn, Table } from '../../parts/table.tsx';
import { PreparationFields, usePreparation } from './preparation-fields.tsx';
import type { ShownChallenge } from './use-challenge.ts';

const VERSIONS = [
  { value: 'owner', label: 'Owner: plain words' },
  { value: 'appraiser', label: 'Appraiser: full grid' },
] as const;
const APPEAL = { value: 'appeal', label: 'Appeal: every change and its reason' } as const;
const ALL_VERSIONS: readonly { readonly value: ReportVersion; readonly label: string }[] = [
  APPEAL,
  ...VERSIONS,
];
const PAPERS = [
  { value: 'letter', label: 'Letter' },
  { value: 'a4', label: 'A4' },
] as const;

/** The report of a stored valuation, as a PDF or a page, and links that show it to others. */
export function ReportActions(props: {
  readonly valuationId: string;
  /** Only the report of a challenge can be an appeal. */
  readonly isChallenge?: boolean;
  readonly challenge: ShownChallenge;
}) {
  const { challenge } = props;
  const { isChanged, savedId } = challenge;
  // A saved challenge is a valuation of its own.
  const valuationId = savedId ?? props.valuationId;
  const isChallenge = savedId !== null || (props.isChallenge ?? false);
  // Two choices: users who send values to owners still get the appeal of a challenge.
  const [version, setVersion] = useRemembered<ReportVersion>(
    isChallenge ? 'challenge-report' : 'report',
    isChallenge ? ALL_VERSIONS : VERSIONS,
    isChallenge ? 'appeal' : 'appraiser',
  );
  const [paper, setPaper] = useState<Paper>('letter');
  const { preparation, change, problem } = usePreparation();
  const [isSharing, setSharing] = useState(false);
  return (
    <div class="screen-only">
      <Section
        title="Report"
        lead={`Print or send this valuation. It stays as it is now.${challenge.id === null || isChallenge ? '' : ' For an appeal, save a challenge first: its report also has a version that lists every change with its reason.'}`}
      >
        {isChanged && savedId === null && (
          <Notice kind="warn" title="Your changes are not saved">
            <p>
              The report shows the value without{' '}
              {Object.keys(challenge.firstFacts).length > 0
                ? 'your changes'
                : 'your comparables, adjustments and renovations'}
              : {formatUsd(challenge.originalUsd)}.
            </p>
            <div class="row">
              <Button
                isSmall
                isDisabled={challenge.problem !== null}
                onClick={() => challenge.setSaving(true)}
              >
                Save the changes as a challenge
              </Button>
            </div>
          </Notice>
        )}
        <PreparationFields preparation={preparation} problem={problem} onChange={change} />
        <div class="row filters">
          <SelectField
            label="Version"
            value={version}
            choices={isChallenge ? ALL_VERSIONS : VERSIONS}
            onInput={setVersion}
          />
          <SelectField
            label="Paper"
            value={paper}
            choices={PAPERS}
            onInput={(value) => setPaper(value === 'a4' ? 'a4' : 'letter')}
          />
          <a
            class="button primary"
            href={reportUrl(valuationId, { ...preparation, version, format: 'pdf', paper })}
            target="_blank"
            rel="noreferrer"
          >
            Open PDF
          </a>
          <a
            class="button"
            href={reportUrl(valuationId, { ...preparation, version, format: 'html', paper })}
            target="_blank"
            rel="noreferrer"
          >
            Open web page
          </a>
          <Button onClick={() => setSharing(true)}>Share</Button>
        </div>
      </Section>
      {isSharing && (
        <ShareDialog
          valuationId={valuationId}
          version={version}
          preparation={preparation}
          onClose={() => setSharing(false)}
        />
      )}
    </div>
  );
}

const EXPIRIES = [7, 30, 90, 365].map((days) => ({ value: String(days), label: `${days} days` }));

function ShareDialog(props: {
  readonly valuationId: string;
  readonly version: ReportVersion;
  readonly preparation: Preparation;
  readonly onClose: () => void;
}) {
  const { valuationId, version, preparation, onClose } = props;
  const [days, setDays] = useState('30');
  const [created, setCreated] = useState<CreatedShare | null>(null);
  const shares = useRequest((signal) => listShares(valuationId, signal), [valuationId]);
  const creating = useAction(async () => {
    setCreated(await createShare(valuationId, { ...preparation, version, expires_in_days: Number(days) }));
    shares.reload();
  });
  const name = ALL_VERSIONS.find(({ value }) => value === version)
    ?.label.split(':')[0]
    ?.toLowerCase();
  return (
    <Dialog title="Share the report" onClose={onClose}>
      <p>Anyone with the link can read the {name} version of this report, and nothing else.</p>
      <div class="row filters">
        <SelectField label="Expires after" value={days} choices={EXPIRIES} onInput={setDays} />
        <Button kind="primary" busy={creating.isBusy && 'Creating …'} onClick={creating.run}>
          Create link
        </Button>
      </div>
      {creating.problem && <ProblemNotice problem={creating.problem} />}
      {created && (
        <Notice kind="ok" title="Copy it now. The link is shown only once.">
          <CodeBlock text={created.url ?? window.location.origin + created.path} what="the link" isWrapped />
        </Notice>
      )}
      {shares.problem && <ProblemNotice problem={shares.problem} onRetry={shares.reload} />}
      {shares.data && shares.data.length > 0 && (
        <ShareTable
          valuationId={valuationId}
          shares={shares.data}
          onRevoked={(shareId) => {
            if (created?.share_id === shareId) setCreated(null);
            shares.reload();
          }}
        />
      )}
      <div class="dialog-foot">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function ShareTable(props: {
  readonly valuationId: string;
  readonly shares: readonly Share[];
  readonly onRevoked: (shareId: string) => void;
}) {
  const { valuationId, shares, onRevoked } = props;
  const revoking = useAction(async (shareId: string) => {
    await revokeShare(valuationId, shareId);
    onRevoked(shareId);
  });
  return (
    <>
      {revoking.problem && <ProblemNotice problem={revoking.problem} />}
      <Table
        caption="Links to this report"
        rows={shares}
        keyOf={({ share_id: id }) => id}
        columns={[
          // Few columns, so that a phone shows the button.
          {
            label: 'Created',
            isRowHeader: true,
            cell: (share) => (
              <>
                {formatMoment(share.created_at)}
                <span class="quiet small second-line">
                  {share.version}, opened {formatMany(share.opened, 'time')}
                </span>
                <span class="small second-line">{stateOf(share)}</span>
              </>
            ),
          },
          actionsColumn((share: Share) =>
            isActive(share) ? (
              <Button isSmall kind="danger" onClick={() => revoking.run(share.share_id)}>
                Revoke
              </Button>
            ) : null,
          ),
        ]}
      />
    </>
  );
}

function isActive({ revoked_at: revoked, expires_at: expires }: Share): boolean {
  return revoked === null && Date.parse(expires) > Date.now();
}

function stateOf(share: Share): string {
  if (share.revoked_at !== null) return 'Revoked';
  return `${isActive(share) ? 'Until' : 'Expired'} ${formatMoment(share.expires_at)}`;
}
