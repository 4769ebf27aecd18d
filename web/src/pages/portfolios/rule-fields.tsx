import { useState } from 'preact/hooks';
import type { WatchRequest } from '../../api/portfolios.ts';
import type { Action } from '../../api/use-request.ts';
import { NameField } from '../../parts/dialog.tsx';
import { Checkbox, SelectField, TextField } from '../../parts/field.tsx';

const EVERY = [
  { value: 'day', label: 'At most once a day' },
  { value: 'week', label: 'At most once a week' },
  { value: 'month', label: 'At most once a month' },
  { value: 'never', label: 'Only when I ask' },
] as const;

/** The fields as they are typed. */
interface TypedRules {
  readonly name: string;
  readonly every: string;
  readonly change: string;
  readonly isOutside: boolean;
  readonly ltv: string;
  readonly miles: string;
}

export const FIRST_RULES: Omit<TypedRules, 'name'> = {
  every: 'day',
  change: '5',
  isOutside: true,
  ltv: '',
  miles: '',
};

export type Rules = ReturnType<typeof useRules>;

/** The name of a portfolio, when it is valued, and what its alerts report. */
export function useRules(first: TypedRules) {
  const [typed, setTyped] = useState(first);
  const { name, every, change, isOutside, ltv, miles } = typed;
  const body: WatchRequest = {
    name,
    revalue_every: EVERY.find(({ value }) => value === every)?.value ?? 'day',
    alerts: {
      change_pct: numberOf(change),
      outside_range: isOutside,
      ltv_pct: numberOf(ltv),
      sold_within_mi: numberOf(miles),
    },
  };
  return {
    typed,
    set: (some: Partial<TypedRules>): void => setTyped((before) => ({ ...before, ...some })),
    isValid: ![change, ltv, miles].some((limit) => Number.isNaN(numberOf(limit))),
    body,
  };
}

/** Null for an empty text, NaN for one that is no number. */
function numberOf(text: string): number | null {
  const bare = text.replace(/[%\s]/g, '');
  return bare === '' ? null : Number(bare);
}

/** An empty limit means no such alerts, so that one which cannot be read must not be sent. */
function LimitField(props: {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  const error = Number.isNaN(numberOf(props.value)) ? 'This is not a number.' : null;
  return <TextField {...props} inputMode="decimal" error={error} />;
}

export function RuleFields({ rules, doing }: { readonly rules: Rules; readonly doing: Action }) {
  const { typed, set } = rules;
  const limit = (name: 'change' | 'ltv' | 'miles', label: string, need = '') => (
    <LimitField
      label={label}
      hint={`Empty: no such alerts.${need}`}
      value={typed[name]}
      onInput={(text) => set({ [name]: text })}
    />
  );
  return (
    <>
      <NameField value={typed.name} onInput={(name) => set({ name })} creating={doing} />
      <SelectField
        label="Value again"
        value={typed.every}
        choices={EVERY}
        onInput={(every) => set({ every })}
      />
      {limit('change', 'Values that change by at least, %')}
      <Checkbox
        label="Values outside the 90% range of the run before"
        isChecked={typed.isOutside}
        onChange={(isOutside) => set({ isOutside })}
      />
      {limit('ltv', 'Loans that come to exceed, % of the value', ' The homes need loan balances.')}
      {limit('miles', 'New sales within, miles')}
    </>
  );
}
