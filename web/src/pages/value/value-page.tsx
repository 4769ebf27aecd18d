import { useLocation } from 'preact-iso/router';
import type { ValuationInput, Valued } from '../../api/valuations.ts';
import { formatChangeUsd, formatUsd } from '../../parts/format.ts';
import { Notice, Waiting } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { whereText, type Where } from '../../parts/map/where.ts';
import { asKind, readAsked, writeAsked, type Asked } from './asked.ts';
import { AttributesPanel } from './attributes-panel.tsx';
import { labelOf } from './fields.ts';
import { PlaceForm } from './place-form.tsx';
import { UnitsEditor } from './units-editor.tsx';
import { useMissingDetails } from './use-missing-details.ts';
import { useValue, type ValueState } from './use-value.ts';
import { ValueProblem } from './value-problem.tsx';
import { useGrid } from './use-grid.ts';
import { ValueMap } from './value-map.tsx';
import { ValueAnswer, ValueDetails, ValueEvidence } from './value-results.tsx';
import './value.css';

/** What a home, its rent or a building is worth. What is asked stands in the page's address, and nowhere else. */
export default function ValuePage() {
  const { query, path, route } = useLocation();
  const asked = readAsked(query);
  const go = (next: Asked, isOtherPlace = false): void => route(`${path}?${writeAsked(next)}`, !isOtherPlace);
  const value = useValue(asked);
  const costs = useMissingDetails(value);
  const { valued, problem, isLoading, complete } = value;
  const shown = useGrid(valued);
  // What was said of one home says nothing of the next.
  const goTo = (where: Where): void => go({ ...asked, where, fields: {}, units: [] }, true);
  const map = (
    <ValueMap
      valued={valued}
      grid={shown.grid}
      selected={shown.selected}
      onSelect={shown.select}
      onWhere={goTo}
    />
  );
  return (
    <Page
      title="Value"
      lead="What a home, its rent or a building of units is worth, how sure that is, and why."
      isWide
    >
      <PlaceForm
        kind={asked.kind}
        where={asked.where}
        onKind={(kind) => go(asKind(asked, kind))}
        onWhere={goTo}
      />
      {asked.where === null && (
        <>
          <NothingYet />
          {map}
        </>
      )}
      {problem && (
        <ValueProblem
          problem={problem}
          kind={asked.kind}
          date={asked.date}
          onWhere={(where) => go({ ...asked, where }, true)}
          onDate={(date) => go({ ...asked, date })}
          onRetry={value.retry}
        />
      )}
      {asked.where !== null && (
        <div class="value-layout">
          <div class="value-controls">
            {valued && <ValueBar valued={valued} before={value.before} />}
            {asked.kind === 'rent' && (
              <UnitsEditor
                units={complete?.asked.units ?? asked.units}
                isAssumed={asked.units.length === 0}
                onChange={(units) => go({ ...asked, units })}
              />
            )}
            <AttributesPanel
              asked={asked}
              complete={complete}
              inputs={inputsOf(value)}
              costs={costs.answer}
              onChange={(next) => go(next)}
            />
          </div>
          <div class="value-results">
            {!valued && isLoading && <Waiting for={`Valuing ${whereText(asked.where)}`} />}
            {complete && complete.missing.length > 0 && <Missing names={complete.missing} />}
            {valued && <ValueAnswer state={value} valued={valued} />}
            {map}
            {valued && (
              <ValueDetails
                state={value}
                valued={valued}
                costs={costs}
                valueOn={value.valueOn}
                asked={asked}
                onChange={(next) => go(next)}
              />
            )}
          </div>
        </div>
      )}
      {valued && (
        <ValueEvidence
          state={value}
          valued={valued}
          shown={shown}
          asked={asked}
          onChange={(next) => go(next)}
        />
      )}
    </Page>
  );
}

/** What the value was computed with; before there is one, what records say. */
function inputsOf({ valued, described }: ValueState): readonly ValuationInput[] {
  return valued?.answer.valuation.inputs ?? described?.inputs ?? [];
}

/** On a phone the answer lies above the controls, out of sight: its figure stays. */
function ValueBar({ valued, before }: Pick<ValueState, 'before'> & { readonly valued: Valued }) {
  const value = valued.answer.valuation.point_value;
  const change = before === null ? 0 : value - before.answer.valuation.point_value;
  return (
    <p class="value-bar" aria-hidden="true">
      <strong>{formatUsd(value)}</strong>
      {change !== 0 && <span class={change > 0 ? 'more' : 'less'}>{formatChangeUsd(change)}</span>}
    </p>
  );
}

function NothingYet() {
  return (
    <p class="quiet">
      Type an address, or click the place on the map. The value comes with its range, the sales it rests on
      and what is not known.
    </p>
  );
}

function Missing({ names }: { readonly names: readonly string[] }) {
  return (
    <Notice kind="info" title="One thing first">
      No record tells {names.map((name) => labelOf(name).toLowerCase()).join(', ')}. Say{' '}
      {names.length === 1 ? 'it' : 'them'} and the value appears.
    </Notice>
  );
}
