import { useLocation } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { readUsage } from '../../api/account.ts';
import { useRequest } from '../../api/use-request.ts';
import type { ValuationInput, Valued } from '../../api/valuations.ts';
import { Button, Notice, Waiting } from '../../parts/basics.tsx';
import { Segments } from '../../parts/field.tsx';
import { formatChangeUsd, formatMany, formatUsd } from '../../parts/format.ts';
import { AddressForm } from '../../parts/map/address-form.tsx';
import { locationText, type Place } from '../../parts/map/location.ts';
import { Page } from '../../parts/page.tsx';
import { SaveValuationDialog } from '../../parts/save-valuation.tsx';
import { mayLeave } from '../../parts/unsaved-changes.ts';
import { AnswerCard, Warnings } from './answer-card.tsx';
import {
  asKind,
  invalidDateIn,
  isSameSubject,
  readQuery,
  withField,
  writeQuery,
  type Kind,
  type ValueRequest,
} from './value-request.ts';
import { useSession } from '../../shell/session-context.tsx';
import { AsOf, AsOfDate } from './as-of.tsx';
import { AttributesPanel } from './attributes-panel.tsx';
import { PropertyFacts } from './property-facts.tsx';
import { ComparablesMap } from './comparables-map.tsx';
import { ComparablesSection } from './comparables-section.tsx';
import { costSentence } from './cost.ts';
import { ChallengeSection } from './challenge-section.tsx';
import { FIRST_VIEW } from './grid.ts';
import { useChallenge } from './use-challenge.ts';
import { useComparables } from './use-comparables.ts';
import { labelOf } from './fields.ts';
import { BuildingDetails, RentDetails } from './kind-details.tsx';
import { MissingDetailsSection, useMissingDetails } from './missing-details.tsx';
import { RenovationsSection } from './renovations.tsx';
import { ReportActions } from './report-actions.tsx';
import { RequestCode, Sources } from './sources.tsx';
import { StoredValuation } from './stored-valuation.tsx';
import { UnitsAtAddress } from './units-at-address.tsx';
import { UnitsEditor } from './units-editor.tsx';
import { useValue, type ValueState } from './use-value.ts';
import { ValueHistory } from './value-history.tsx';
import { ValueProblem } from './value-problem.tsx';
import './value.css';

const KIND_CHOICES = [
  { value: 'home', label: 'Home value' },
  { value: 'rent', label: 'Rent' },
  { value: 'building', label: 'Multifamily' },
] as const satisfies readonly { readonly value: Kind; readonly label: string }[];

/** Values a home, a rent or a building. The page's URL contains the whole request. */
export default function ValuePage() {
  const { query, path, route } = useLocation();
  const request = readQuery(query);
  // Remounts the controls, which already show what the user then did not want.
  const [declined, setDeclined] = useState(0);
  const go = (next: ValueRequest, isNewPlace = false): void => {
    // Changes of comparables are of one property on one date.
    if (isSameSubject(request, next) || mayLeave()) route(`${path}?${writeQuery(next)}`, !isNewPlace);
    else setDeclined((times) => times + 1);
  };
  const value = useValue(request);
  const { valued, problem, complete, described } = value;
  const details = useMissingDetails(value);
  const [view, setView] = useState(FIRST_VIEW);
  const challenge = useChallenge(value, request, view);
  const current = challenge.shown;
  const previous = challenge.isChanged ? challenge.base : value.previous;
  const isLoading = value.isLoading || (challenge.isChanged && challenge.preview.isLoading);
  const shown = useComparables(current, view, setView);
  const { grid } = shown;
  // With changes that are not saved, the value without them.
  const storedId = challenge.shownId ?? (valued ? idOf(valued) : '');
  const isUnsaved = challenge.isChanged && challenge.savedId === null;
  const goToDate = (date: string | null): void => go({ ...request, date });
  // Details of one home do not apply to the next.
  const goTo = (where: Place): void => go({ ...request, where, fields: {}, units: [] }, true);
  const map = <ComparablesMap shown={shown} onPick={goTo} />;
  const form = (
    <div class="place-form">
      <Segments
        key={declined}
        aria-label="What to value"
        choices={KIND_CHOICES}
        value={request.kind}
        onChange={(kind) => go(asKind(request, kind))}
      />
      <AddressForm where={request.where} action="Value" onWhere={goTo} />
    </div>
  );
  const invalidDate = invalidDateIn(query);
  const dateNotice = invalidDate !== null && (
    <Notice kind="warn" title="The date in the address of this page is invalid">
      “{invalidDate.slice(0, 40)}” is not a date such as 2026-06-30. The as-of date is today.
    </Notice>
  );
  const problemNotice = problem && (
    <ValueProblem
      problem={problem}
      kind={request.kind}
      date={request.date}
      onWhere={(where) => go({ ...request, where }, true)}
      onDate={goToDate}
      onRetry={value.retry}
    />
  );
  if (request.where === null && query.valuation) {
    return (
      <StoredValuation
        id={query.valuation}
        revisedId={query.revise ?? null}
        onAgain={(past) => go(past, true)}
      />
    );
  }
  if (request.where === null) {
    return (
      <Page
        title="Value"
        lead="Value a home, a rent or a multifamily building, with a prediction range and comparables."
        actions={<AsOfDate request={request} described={null} onDate={goToDate} />}
        isWide
      >
        {form}
        {dateNotice}
        {problemNotice}
        <p class="quiet">
          Enter an address, or click a location on the map. <Cost request={request} />
        </p>
        {map}
      </Page>
    );
  }
  const { address_info: place } = valued?.answer ?? described ?? {};
  const address = place?.formatted_address ?? locationText(request.where);
  const inputs = valued?.answer.valuation.inputs ?? described?.inputs ?? [];
  return (
    <Page
      title={address}
      tabTitle={current ? `${address}: ${formatUsd(current.answer.valuation.point_value)}` : address}
      before={form}
      lead={
        described && (
          <PropertyFacts parcel={described} inputs={valued?.kind === 'home' ? inputs : described.inputs} />
        )
      }
      actions={
        <>
          <AsOfDate key={declined} request={request} described={described} onDate={goToDate} />
          {valued && (
            <SaveAction key={storedId} valuationId={storedId} name={address} isChanged={isUnsaved} />
          )}
        </>
      }
      isWide
    >
      {dateNotice}
      {problemNotice}
      {isLargeBuilding(request, inputs) && (
        <LargeBuilding inputs={inputs} onMultifamily={() => go(asKind(request, 'building'))} />
      )}
      {current && <ValueBar valued={current} previous={previous} />}
      {!valued && value.isLoading && <Waiting for={`Valuing ${address}`} />}
      {!valued && complete && complete.missing.length > 0 && <Missing names={complete.missing} />}
      <div class="value-top">
        {current && (
          <AnswerCard
            valued={current}
            previous={previous}
            isLoading={isLoading}
            reportedId={challenge.shownId}
            canChallenge={challenge.id !== null}
          />
        )}
        {map}
      </div>
      {described && described.units.length > 0 && (
        <UnitsAtAddress request={request} units={described.units} />
      )}
      {current && <Warnings valued={current} problem={challenge.problem} />}
      {request.kind === 'rent' && complete && (
        <UnitsEditor
          units={complete.request.units}
          isAssumed={request.units.length === 0}
          onChange={(units) => go({ ...request, units })}
        />
      )}
      {(described || valued) && (
        <AttributesPanel
          request={request}
          complete={complete}
          inputs={inputs}
          described={described?.inputs ?? []}
          features={(request.kind === 'rent' ? described?.rent_features : described?.features) ?? []}
          details={details.data}
          warnings={valued?.answer.valuation.warnings ?? []}
          onChange={go}
        />
      )}
      {valued && (
        <>
          {current && grid && (
            <ComparablesSection valued={current} shown={{ ...shown, grid }} challenge={challenge} />
          )}
          <RenovationsSection challenge={challenge} />
          <ChallengeSection
            challenge={challenge}
            onResetFact={(field) => go(withField(request, field, null))}
          />
          {valued.kind === 'rent' && <RentDetails answer={valued.answer} />}
          {valued.kind === 'building' && <BuildingDetails answer={valued.answer} />}
          {valued.kind === 'home' && (
            <MissingDetailsSection
              details={details}
              onTry={(field, tried) => go(withField(request, field, tried))}
            />
          )}
          <ReportActions valuationId={idOf(valued)} challenge={challenge} />
          <Sources valued={valued} />
          <AsOf key={declined} request={request} state={value} valued={valued} onDate={goToDate} />
          {valued.kind === 'home' && <ValueHistory request={request} valued={valued.answer} />}
          <RequestCode
            request={complete?.request ?? request}
            missing={complete?.missing ?? []}
            inputs={inputs}
          />
        </>
      )}
    </Page>
  );
}

function idOf({ answer }: Valued): string {
  return answer.valuation.valuation_id;
}

/** What the next value costs. Once a property is shown, its changes are free. */
function Cost({ request }: { readonly request: ValueRequest }) {
  const { prices } = useSession().session;
  const usage = useRequest((signal) => readUsage(null, signal), []);
  // At once, so that the map below does not move under the pointer.
  return prices && costSentence(prices, request, usage.data?.credits_remaining ?? null);
}

/** Saves the valuation under a name. */
function SaveAction(props: {
  readonly valuationId: string;
  readonly name: string;
  /** There are changes that the valuation does not have. */
  readonly isChanged: boolean;
}) {
  const { valuationId, name, isChanged } = props;
  const [isOpen, setOpen] = useState(false);
  const [isSaved, setSaved] = useState(false);
  return (
    <>
      {isSaved && (
        <span class="small" role="status">
          Saved. <a href="/console/saved">See all</a>
        </span>
      )}
      <Button onClick={() => setOpen(true)}>{isSaved ? 'Save valuation again' : 'Save valuation'}</Button>
      {isOpen && (
        <SaveValuationDialog
          valuationId={valuationId}
          saved={{ name }}
          lacks={
            isChanged
              ? 'This saves the value without your changes. To save it with them, save the challenge first.'
              : null
          }
          onClose={() => setOpen(false)}
          onSaved={() => setSaved(true)}
        />
      )}
    </>
  );
}

/** The value at the top of the window while the answer is out of sight. */
function ValueBar({ valued, previous }: Pick<ValueState, 'previous'> & { readonly valued: Valued }) {
  const [isSeen, setSeen] = useState(true);
  useEffect(() => {
    const answer = document.querySelector('.answer');
    if (!answer) return undefined;
    const observer = new IntersectionObserver(([{ isIntersecting }]) => setSeen(isIntersecting));
    observer.observe(answer);
    return () => observer.disconnect();
  }, []);
  const { point_value: value, ...range } = valued.answer.valuation;
  const change = previous === null ? 0 : value - previous.answer.valuation.point_value;
  return (
    <p class="value-bar" aria-hidden="true" hidden={isSeen}>
      <span class="quiet nowrap">
        {formatUsd(range.estimated_value_low)} – {formatUsd(range.estimated_value_high)}
      </span>
      <strong>{formatUsd(value)}</strong>
      {previous !== null && change !== 0 && (
        <span class={change > 0 ? 'more' : 'less'}>
          <span class="nowrap">{formatChangeUsd(change)}</span> from{' '}
          {formatUsd(previous.answer.valuation.point_value)}
        </span>
      )}
    </p>
  );
}

/** The value of a home has no rents and expenses, which decide the price of a large building. */
function isLargeBuilding({ kind }: ValueRequest, inputs: readonly ValuationInput[]): boolean {
  return (
    kind === 'home' && inputs.some(({ field, value }) => field === 'property_type' && value === 'multifamily')
  );
}

function LargeBuilding(props: {
  readonly inputs: readonly ValuationInput[];
  readonly onMultifamily: () => void;
}) {
  const units = props.inputs.find(({ field }) => field === 'total_units')?.value;
  return (
    <Notice kind="info" title="This is a multifamily building">
      <p>
        It has {typeof units === 'number' ? formatMany(units, 'unit') : '5 units or more'}, and this page
        values it as a home. Multifamily also uses its rents and income.
      </p>
      <div class="row">
        <Button isSmall onClick={props.onMultifamily}>
          Value under Multifamily
        </Button>
      </div>
    </Notice>
  );
}

function Missing({ names }: { readonly names: readonly string[] }) {
  return (
    <Notice kind="info" title="More details are needed">
      No record has the {names.map((name) => labelOf(name).toLowerCase()).join(' and ')} of this property.
      Enter {names.length === 1 ? 'it' : 'them'} to get the value.
    </Notice>
  );
}
