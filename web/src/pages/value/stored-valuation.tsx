import { useState } from 'preact/hooks';
import { listChallenges } from '../../api/challenges.ts';
import { useRequest } from '../../api/use-request.ts';
import {
  readComparableRecords,
  readValuation,
  readValuedParcel,
  type Valued,
  type ValuedParcel,
} from '../../api/valuations.ts';
import { Button, Notice, WhenLoaded } from '../../parts/basics.tsx';
import { formatDay, formatMoment, formatUsd } from '../../parts/format.ts';
import { GoToSection, Page } from '../../parts/page.tsx';
import { ValueCard, Warnings } from './value-card.tsx';
import { CHALLENGE, ChallengeSection } from './challenge-section.tsx';
import { ComparablesMap } from './comparables-map.tsx';
import { ComparablesSection } from './comparables-section.tsx';
import { FIRST_VIEW } from './grid.ts';
import { BuildingDetails, RentDetails } from './kind-details.tsx';
import { PropertyFacts } from './property-facts.tsx';
import { RenovationsSection } from './renovations.tsx';
import { requestOf } from './past-request.ts';
import { changesOfChallenge, type FirstChanges } from './revised-changes.ts';
import { ReportActions } from './report-actions.tsx';
import { StoredChanges } from './stored-changes.tsx';
import { useSavedChallenges } from './saved-challenges.tsx';
import { Sources } from './sources.tsx';
import { useChallenge } from './use-challenge.ts';
import { useComparables } from './use-comparables.ts';
import { EMPTY_REQUEST, type ValueRequest } from './value-request.ts';

interface StoredValuationProps {
  readonly id: string;
  /** A challenge of it to begin the next version with. */
  readonly revisedId: string | null;
  readonly onAgain: (request: ValueRequest) => void;
}

/** A past valuation of the account as it was stored. Only the button values the home again. */
export function StoredValuation({ id, revisedId, onAgain }: StoredValuationProps) {
  const past = useRequest(
    async (signal) => {
      const [valued, parcel, first] = await Promise.all([
        readValuation(id, signal),
        readValuedParcel(id, signal),
        revisedId === null ? null : readRevised(revisedId, signal),
      ]);
      return { valued, parcel, first, opened: `${id} ${revisedId}` };
    },
    [id, revisedId],
  );
  // Until the next one is loaded, the last one stays.
  if (past.data) return <Stored key={past.data.opened} {...past.data} onAgain={onAgain} />;
  return (
    <Page title="Value" isWide>
      <WhenLoaded of={past} waiting="Opening the valuation">
        {() => null}
      </WhenLoaded>
      {past.problem?.status === 404 && (
        <p>
          Open one of the <a href="/console/saved">saved valuations</a>, or{' '}
          <a href="/console/value">value a property</a>.
        </p>
      )}
    </Page>
  );
}

async function readRevised(id: string, signal: AbortSignal): Promise<FirstChanges | null> {
  const [revised, records, versions] = await Promise.all([
    readValuation(id, signal),
    readComparableRecords(id, signal),
    listChallenges(id, signal),
  ]);
  if (revised.kind !== 'home') return null;
  const note = versions.find(({ valuation_id }) => valuation_id === id)?.note;
  return { ...changesOfChallenge(revised.response, records), note };
}

function Stored(
  props: Pick<StoredValuationProps, 'onAgain'> & {
    readonly valued: Valued;
    readonly parcel: ValuedParcel;
    readonly first: FirstChanges | null;
  },
) {
  const { valued, parcel, first, onAgain } = props;
  const [view, setView] = useState(FIRST_VIEW);
  // The changes of a challenge are stored with it: its original is what others can be made of.
  const isChallenge = 'changes' in valued.response;
  const state = { valued: isChallenge ? null : valued, original: null, valuedRequest: null };
  const challenge = useChallenge(state, EMPTY_REQUEST, view, first);
  const current = challenge.shown ?? valued;
  const shown = useComparables(current, view, setView);
  const { grid } = shown;
  const { valuation, address_info: place } = valued.response;
  const { valuation_id: id } = valuation;
  // A challenge lists the versions of its original only.
  const saved = useSavedChallenges(
    valued.kind === 'home' ? id : null,
    challenge.savedId,
    isChallenge ? null : place.formatted_address,
  );
  const decision = saved.data?.own.find(({ valuation_id }) => valuation_id === id)?.decision;
  const before = (valued.kind === 'home' && valued.response.changes?.before.point_value) || null;
  const address = place.formatted_address ?? `${place.latitude}, ${place.longitude}`;
  const previous = challenge.isChanged ? challenge.base : null;
  const isLoading = challenge.isChanged && challenge.preview.isLoading;
  return (
    <Page
      title={address}
      tabTitle={`${address}: ${formatUsd(valuation.point_value)}`}
      lead={
        <PropertyFacts
          parcel={parcel}
          inputs={current.response.valuation.inputs}
          corrected={current.kind === 'home' ? current.response.changes?.facts : undefined}
        />
      }
      actions={<Button onClick={() => onAgain(requestOf(valued))}>Value again</Button>}
      isWide
    >
      {first && challenge.isChanged ? (
        <Notice kind="info" title="Revision of a challenge">
          The stored value, {formatUsd(valuation.point_value)}, is shown with the changes of that challenge.{' '}
          <GoToSection anchor={CHALLENGE}>Change them</GoToSection>, then save them as its next version.
        </Notice>
      ) : (
        <Notice kind="info" title={isChallenge ? 'Stored value with changes' : 'Stored value'}>
          This value as of {formatDay(valuation.as_of_date)} has not changed since it was requested. Data and
          models that were loaded later are not used.
          {decision === null && ' Its challenge is not decided yet.'}
        </Notice>
      )}
      {decision && (
        <Notice
          kind={decision.decision === 'accepted' ? 'ok' : 'warn'}
          title={`The challenge was ${decision.decision}`}
        >
          {decision.reason} ({decision.decided_by}, {formatMoment(decision.decided_at)})
          {before !== null &&
            decision.decision === 'rejected' &&
            ` The value without its changes is ${formatUsd(before)}.`}
        </Notice>
      )}
      <div class="value-top">
        <ValueCard
          valued={current}
          previous={previous}
          isLoading={isLoading}
          reportedId={isChallenge ? id : challenge.shownId}
          canChallenge={challenge.id !== null}
        />
        <ComparablesMap shown={shown} />
      </div>
      <Warnings valued={current} problem={challenge.problem} />
      {valued.kind === 'home' && <StoredChanges response={valued.response} saved={saved} />}
      {grid && (
        <ComparablesSection valued={current} shown={{ ...shown, grid }} challenge={challenge} isStored />
      )}
      <RenovationsSection challenge={challenge} />
      <ChallengeSection challenge={challenge} saved={saved} />
      {valued.kind === 'rent' && <RentDetails response={valued.response} />}
      {valued.kind === 'building' && <BuildingDetails response={valued.response} />}
      <ReportActions valuationId={id} isChallenge={isChallenge} challenge={challenge} />
      <Sources valued={valued} />
    </Page>
  );
}
