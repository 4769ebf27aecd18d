import type { Valued } from '../../api/valuations.ts';
import { Notice } from '../../parts/notice.tsx';
import { formatUsd } from '../../parts/format.ts';
import { AnswerHead, Fact } from './answer-head.tsx';
import { AsOf } from './as-of.tsx';
import { withField, writeAsked, type Asked } from './asked.ts';
import { BuildingDetails } from './building-details.tsx';
import { ComparablesSection } from './comparables-section.tsx';
import { Provenance } from './provenance.tsx';
import { MissingDetailsSection } from './missing-details.tsx';
import { RentDetails } from './rent-details.tsx';
import { RequestCode } from './request-code.tsx';
import { warningWords } from './warning-words.ts';
import type { Asked as AskedFor } from '../../api/use-answer.ts';
import type { MissingDetails } from '../../api/valuations.ts';
import type { ShownGrid } from './use-grid.ts';
import { dayCredits } from './day-credits.ts';
import type { ValueOn, ValueState } from './use-value.ts';

const MODEL_OF = { home: 'property', rent: 'rental', building: 'multifamily' } as const;

interface Shown {
  readonly state: ValueState;
  readonly valued: Valued;
  readonly asked: Asked;
  readonly onChange: (asked: Asked) => void;
}

/** What is looked at while attributes are changed: it stands beside their controls. */
export function ValueAnswer({ state, valued }: Pick<Shown, 'state' | 'valued'>) {
  return (
    <>
      <AnswerHead valued={valued} before={state.before} isLoading={state.isLoading}>
        <PriceFacts valued={valued} />
      </AnswerHead>
      <Warnings valued={valued} />
    </>
  );
}

/** The value on other days and with other attributes, and what it is made of. */
export function ValueDetails(
  props: Shown & { readonly costs: AskedFor<MissingDetails>; readonly valueOn: ValueOn },
) {
  const { state, valued, costs, asked, onChange, valueOn } = props;
  const { market, first_date_served: served } = state.described ?? { market: null, first_date_served: null };
  return (
    <>
      {market !== null && served !== null && (
        <AsOf
          market={market}
          kind={MODEL_OF[valued.kind]}
          first={served[MODEL_OF[valued.kind]]}
          date={asked.date}
          valued={valued}
          subject={writeAsked({ ...asked, date: null })}
          valuedSubject={state.answered && writeAsked({ ...state.answered, date: null })}
          valueOn={valueOn}
          creditsEach={dayCredits(asked)}
          onDate={(date) => onChange({ ...asked, date })}
        />
      )}
      {valued.kind === 'home' && (
        <MissingDetailsSection
          costs={costs}
          onTry={(field, value) => onChange(withField(asked, field, value))}
        />
      )}
      {valued.kind === 'rent' && <RentDetails answer={valued.answer} />}
      {valued.kind === 'building' && <BuildingDetails answer={valued.answer} />}
    </>
  );
}

/** What it rests on, over the whole width. */
export function ValueEvidence(props: Shown & { readonly shown: ShownGrid }) {
  const { valued, shown } = props;
  const { grid, selected, select, unit, setUnit } = shown;
  return (
    <>
      {grid && (
        <ComparablesSection
          valued={valued}
          grid={grid}
          selected={selected}
          onSelect={select}
          unit={unit}
          onUnit={setUnit}
        />
      )}
      <Provenance valued={valued} />
      <RequestCode asked={sentOf(props)} />
    </>
  );
}

function sentOf({ state, asked }: Pick<Shown, 'state' | 'asked'>): Asked {
  return state.complete?.asked ?? asked;
}

function PriceFacts({ valued }: { readonly valued: Valued }) {
  if (valued.kind === 'home') {
    const {
      price_per_sqft: each,
      price_per_sqft_low: low,
      price_per_sqft_high: high,
    } = valued.answer.valuation;
    if (each === null) return null;
    return (
      <Fact label="Per sq ft" note={`$${low?.toFixed(0)} – $${high?.toFixed(0)}`}>
        ${each.toFixed(0)}
      </Fact>
    );
  }
  if (valued.kind === 'rent') {
    return <Fact label="Per year">{formatUsd(valued.answer.valuation.annual_rent)}</Fact>;
  }
  const {
    price_per_unit: each,
    price_per_unit_low: low,
    price_per_unit_high: high,
  } = valued.answer.valuation;
  return (
    <Fact label="Per unit" note={`${formatUsd(low)} – ${formatUsd(high)}`}>
      {formatUsd(each)}
    </Fact>
  );
}

function Warnings({ valued }: { readonly valued: Valued }) {
  const { warnings, inputs } = valued.answer.valuation;
  if (warnings.length === 0) return null;
  return (
    <Notice kind="warn" title="Note">
      <ul class="warnings">
        {warnings.map((warning) => (
          <li key={`${warning.code} ${warning.field}`}>{warningWords(warning, inputs)}</li>
        ))}
      </ul>
    </Notice>
  );
}
