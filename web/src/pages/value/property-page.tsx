import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ValuationInput, Valued } from '../../api/valuations.ts';
import { Button, Notice, Waiting } from '../../parts/basics.tsx';
import { formatChangeUsd, formatMany, formatUsd } from '../../parts/format.ts';
import { locationText, type Place } from '../../parts/map/location.ts';
import { Page } from '../../parts/page.tsx';
import { SaveValuationDialog } from '../../parts/save-valuation.tsx';
import { ValueCard, Warnings } from './value-card.tsx';
import { AsOf, AsOfDate } from './as-of.tsx';
import { AttributesPanel } from './attributes-panel.tsx';
import { ChallengeSection } from './challenge-section.tsx';
import { ComparablesMap } from './comparables-map.tsx';
import { ComparablesSection } from './comparables-section.tsx';
import { labelOf } from './fields.ts';
import { FIRST_VIEW } from './grid.ts';
import { BuildingDetails, RentDetails } from './kind-details.tsx';
import { MissingDetailsSection, useMissingDetails } from './missing-details.tsx';
import { PropertyFacts } from './property-facts.tsx';
import { RenovationsSection } from './renovations.tsx';
import { ReportActions } from './report-actions.tsx';
import { RequestCode, Sources } from './sources.tsx';
import { useSavedChallenges } from './saved-challenges.tsx';
import { UnitsAtAddress } from './units-at-address.tsx';
import { UnitsEditor } from './units-editor.tsx';
import { useChallenge, type ShownChallenge } from './use-challenge.ts';
import { useComparables } from './use-comparables.ts';
import { useValue, type ShownValue, type ValueState } from './use-value.ts';
import { ValueHistory } from './value-history.tsx';
import { ValueProblem } from './value-problem.tsx';
import { asKind, atPlace, withField, type Go, type ValueRequest } from './value-request.ts';
import { comparedWith } from './words.ts';

interface PropertyPageProps {
  readonly request: ValueRequest;
  readonly where: Place;
  readonly go: Go;
  /** How often the user did not want to leave: remounts the controls that already show the next request. */
  readonly declined: number;
  readonly form: ComponentChildren;
  /** About the address of the page. */
  readonly notice: ComponentChildren;
}

/** The value of a property: its facts, comparables and changes, each of which changes the value on the page. */
export function PropertyPage({ request, where, go, declined, form, notice }: PropertyPageProps) {
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
  const { address_info: place } = valued?.response ?? described ?? {};
  const address = place?.formatted_address ?? locationText(where);
  const inputs = valued?.response.valuation.inputs ?? described?.inputs ?? [];
  return (
    <Page
      title={address}
      tabTitle={current ? `${address}: ${formatUsd(current.response.valuation.point_value)}` : address}
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
            <SaveAction
              key={storedId}
              valuationId={storedId}
              name={address}
              lacks={
                isUnsaved
                  ? `This saves ${formatUsd(challenge.originalUsd)}, the value without your comparables, adjustments and renovations. To save the value with all changes, use “Save challenge” instead.`
                  : null
              }
            />
          )}
        </>
      }
      isWide
    >
      {notice}
      {problem && (
        <ValueProblem
          problem={problem}
          kind={request.kind}
          date={request.date}
          onWhere={(meant) => go({ ...request, where: meant }, true)}
          onDate={goToDate}
          onRetry={value.retry}
        />
      )}
      {isLargeBuilding(request, inputs) && (
        <LargeBuilding inputs={inputs} onMultifamily={() => go(asKind(request, 'building'))} />
      )}
      {current && <ValueBar valued={current} previous={previous} />}
      {!valued && value.isLoading && <Waiting for={`Valuing ${address}`} />}
      {!valued && complete && complete.missing.length > 0 && <Missing names={complete.missing} />}
      <div class="value-top">
        {current && (
          <ValueCard
            valued={current}
            previous={previous}
            isLoading={isLoading}
            reportedId={challenge.shownId}
            canChallenge={challenge.id !== null}
          />
        )}
        <ComparablesMap shown={shown} onPick={(picked) => go(atPlace(request, picked), true)} />
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
          warnings={valued?.response.valuation.warnings ?? []}
          onChange={go}
        />
      )}
      {current && grid && valued && (
        <ComparablesSection valued={current} shown={{ ...shown, grid }} challenge={challenge} />
      )}
      {valued && (
        <ValuedSections
          request={request}
          state={value}
          valued={valued}
          challenge={challenge}
          details={details}
          inputs={inputs}
          declined={declined}
          go={go}
        />
      )}
    </Page>
  );
}

/** What follows the comparables. */
function ValuedSections(
  props: Pick<PropertyPageProps, 'request' | 'declined' | 'go'> & {
    readonly state: ShownValue;
    readonly valued: Valued;
    readonly challenge: ShownChallenge;
    readonly details: ReturnType<typeof useMissingDetails>;
    readonly inputs: readonly ValuationInput[];
  },
) {
  const { request, declined, go, state, valued, challenge, details, inputs } = props;
  const { complete } = state;
  const { base } = challenge;
  const address = base?.response.address_info.formatted_address ?? null;
  const saved = useSavedChallenges(challenge.id, challenge.savedId, address);
  return (
    <>
      <RenovationsSection challenge={challenge} />
      <ChallengeSection
        challenge={challenge}
        saved={saved}
        onResetFact={(field) => go(withField(request, field, null))}
        // Details without which there is no value are not a change.
        onResetFacts={() => 'property_fields' in challenge.body && go({ ...request, fields: {} })}
      />
      {valued.kind === 'rent' && <RentDetails response={valued.response} />}
      {valued.kind === 'building' && <BuildingDetails response={valued.response} />}
      {valued.kind === 'home' && (
        <MissingDetailsSection
          details={details}
          onTry={(field, tried) => go(withField(request, field, tried))}
        />
      )}
      <ReportActions valuationId={idOf(valued)} challenge={challenge} />
      <Sources valued={valued} />
      <AsOf
        key={declined}
        request={request}
        state={state}
        valued={valued}
        onDate={(date) => go({ ...request, date })}
      />
      {valued.kind === 'home' && <ValueHistory request={request} valued={valued.response} />}
      <RequestCode request={complete?.request ?? request} missing={complete?.missing ?? []} inputs={inputs} />
    </>
  );
}

function idOf({ response }: Valued): string {
  return response.valuation.valuation_id;
}

/** Saves the valuation under a name. */
function SaveAction(props: {
  readonly valuationId: string;
  readonly name: string;
  /** What the valuation does not have. */
  readonly lacks: string | null;
}) {
  const { valuationId, name, lacks } = props;
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
          lacks={lacks}
          onClose={() => setOpen(false)}
          onSaved={() => setSaved(true)}
        />
      )}
    </>
  );
}

/** The value at the top of the window while its card is out of sight. */
function ValueBar({ valued, previous }: Pick<ValueState, 'previous'> & { readonly valued: Valued }) {
  const [isSeen, setSeen] = useState(true);
  useEffect(() => {
    const card = document.querySelector('.value-card');
    if (!card) return undefined;
    const observer = new IntersectionObserver(([{ isIntersecting }]) => setSeen(isIntersecting));
    observer.observe(card);
    return () => observer.disconnect();
  }, []);
  const { point_value: value, ...range } = valued.response.valuation;
  const change = previous === null ? 0 : value - previous.response.valuation.point_value;
  return (
    <p class="value-bar" aria-hidden="true" hidden={isSeen}>
      <span class="quiet nowrap">
        {formatUsd(range.estimated_value_low)} – {formatUsd(range.estimated_value_high)}
      </span>
      <strong>{formatUsd(value)}</strong>
      {previous !== null && change !== 0 && (
        <span class={change > 0 ? 'more' : 'less'}>
          <span class="nowrap">{formatChangeUsd(change)}</span>{' '}
          {comparedWith(valued.response.valuation.as_of_date, previous.response.valuation)}
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
