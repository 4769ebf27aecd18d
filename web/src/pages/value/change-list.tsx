import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { errorIn } from '../../api/problem.ts';
import { Button } from '../../parts/basics.tsx';
import { Checkbox } from '../../parts/field.tsx';
import { formatChangeUsd, formatDay, formatUsd } from '../../parts/format.ts';
import {
  placeOfAdded,
  withExclusion,
  withoutAdded,
  withoutExclusion,
  withoutReason,
  withOverrides,
  withPin,
} from './changes.ts';
import { labelOf, readableMessage, wordOf } from './fields.ts';
import { nameOfSale } from './grid.ts';
import type { ShownChallenge } from './use-challenge.ts';

/** The id of the first excluded sale's reason that is missing. */
export const MISSING_REASON = 'missing-reason';

interface ListProps {
  readonly challenge: ShownChallenge;
  readonly words: ReturnType<typeof wordsOf>;
}

/** The user's changes, each with a button that takes it back. */
export function ChangeList(props: {
  readonly challenge: ShownChallenge;
  readonly onEditAdded: (at: number) => void;
  readonly onResetFact?: (field: string) => void;
}) {
  const { challenge, onEditAdded, onResetFact } = props;
  const { changes, change } = challenge;
  const words = wordsOf(challenge);
  return (
    <ul class="changes">
      <CorrectedFacts challenge={challenge} words={words} onReset={onResetFact} />
      <PinnedSales challenge={challenge} words={words} />
      <ExcludedSales challenge={challenge} words={words} />
      <AddedSales challenge={challenge} words={words} onEdit={onEditAdded} />
      <OverriddenAdjustments challenge={challenge} words={words} />
      {changes.pinned.length + changes.added.length > 0 && (
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

/** How the sales, details and adjustments of a challenge are called. */
function wordsOf({ preview, base }: ShownChallenge) {
  const changes = preview.data?.changes;
  const items = [...(preview.data?.comparables.items ?? []), ...(base?.response.comparables.items ?? [])];
  const saleOf = (id: string) =>
    [...items, ...(changes?.excluded ?? [])].find(({ comp_id }) => comp_id === id);
  return {
    titleOf: (id: string): string => {
      const sale = saleOf(id);
      return sale ? nameOfSale(sale) : id;
    },
    /** One home can have several sales. */
    soldOf: (id: string): string => {
      const sale = saleOf(id);
      return sale && 'sale_date' in sale ? `${formatUsd(sale.sale_price)}, ${formatDay(sale.sale_date)}` : '';
    },
    recordedOf: (name: string): string => {
      const fact = changes?.facts.find(({ field }) => field === name);
      return fact ? `${wordOf(name, fact.before)} → ` : '';
    },
    /** It changes with the details of the home, so that a change made before may need another look. */
    computedOf: (id: string, of: string): string => {
      const line = changes?.adjustments.find((one) => one.comp_id === id && one.field === of);
      return line ? `${formatChangeUsd(line.computed_amount)} → ` : '';
    },
  };
}

function ChangeRow(props: {
  readonly action: string;
  readonly label?: string;
  readonly onAction?: () => void;
  readonly children: ComponentChildren;
}) {
  const { action, label, onAction, children } = props;
  return (
    <li class="row">
      {children}
      {onAction && (
        <Button isSmall label={label} onClick={onAction}>
          {action}
        </Button>
      )}
    </li>
  );
}

/** Those of the challenge that is revised, and those of the page. Only the latter are reset by the page. */
function CorrectedFacts(props: ListProps & { readonly onReset?: (field: string) => void }) {
  const { challenge, words, onReset } = props;
  const { firstFacts, preview } = challenge;
  const ofPage = (preview.data?.changes.facts ?? []).filter(({ field }) => !(field in firstFacts));
  return (
    <>
      {Object.entries(firstFacts).map(([name, value]) => (
        <ChangeRow
          key={name}
          action="Reset"
          label={`Reset ${labelOf(name)}`}
          onAction={() => challenge.dropFact(name)}
        >
          <span>
            Corrected: {labelOf(name)} {words.recordedOf(name)}
            <strong>{wordOf(name, value)}</strong>
          </span>
        </ChangeRow>
      ))}
      {ofPage.map(({ field, before, after }) => (
        <ChangeRow
          key={field}
          action="Reset"
          label={`Reset the correction of ${labelOf(field)}`}
          onAction={onReset && (() => onReset(field))}
        >
          <span>
            Corrected: {labelOf(field)} {wordOf(field, before)} → <strong>{wordOf(field, after)}</strong>
          </span>
        </ChangeRow>
      ))}
    </>
  );
}

function PinnedSales({ challenge: { changes, change }, words: { titleOf, soldOf } }: ListProps) {
  return changes.pinned.map((id) => (
    <ChangeRow
      key={id}
      action="Unpin"
      label={`Unpin ${titleOf(id)}`}
      onAction={() => change(withPin(changes, id, false))}
    >
      <span>
        Pinned: <strong>{titleOf(id)}</strong> {soldOf(id)}
        {changes.overrides.some(({ comp_id }) => comp_id === id) && (
          <span class="quiet">, so that the sale you adjusted stays a comparable</span>
        )}
      </span>
    </ChangeRow>
  ));
}

function ExcludedSales({ challenge: { changes, change }, words: { titleOf, soldOf } }: ListProps) {
  const [unexplained] = withoutReason(changes);
  return Object.entries(changes.excluded).map(([id, reason]) => (
    <ChangeRow
      key={id}
      action="Include"
      label={`Include ${titleOf(id)}, ${soldOf(id)}`}
      onAction={() => change(withoutExclusion(changes, id))}
    >
      <span>
        Excluded: <strong>{titleOf(id)}</strong> {soldOf(id)}
      </span>
      <ReasonInput
        id={id === unexplained ? MISSING_REASON : undefined}
        label={`Reason for excluding ${titleOf(id)}, ${soldOf(id)}`}
        reason={reason}
        onReason={(typed) => change(withExclusion(changes, id, typed))}
      />
    </ChangeRow>
  ));
}

function AddedSales(props: ListProps & { readonly onEdit: (at: number) => void }) {
  const { challenge, words, onEdit } = props;
  const { changes, change, preview } = challenge;
  return changes.added.map((sale, at) => (
    <li key={JSON.stringify(sale)} class="row">
      <span>
        Added: <strong>{sale.comp_id ? words.titleOf(sale.comp_id) : placeOfAdded(sale)}</strong>{' '}
        {sale.sale_date && `${formatUsd(sale.sale_price)}, ${formatDay(sale.sale_date)}`}
      </span>
      <Button isSmall label={`Edit ${sale.comp_id ?? placeOfAdded(sale)}`} onClick={() => onEdit(at)}>
        Edit
      </Button>
      <Button isSmall onClick={() => change(withoutAdded(changes, at))}>
        Remove
      </Button>
      <AddedError error={errorOfAdded(challenge, at)} />
      {preview.data?.valuation.warnings
        .filter(({ field }) => field === `comparables.added.${at}`)
        .map(({ code, message }) => (
          <span key={code} class="small warned">
            {readableMessage(message)}
          </span>
        ))}
    </li>
  ));
}

function OverriddenAdjustments({ challenge: { changes, change }, words }: ListProps) {
  const { overrides } = changes;
  return overrides.map(({ comp_id: id, field, amount, reason }) => {
    const others = overrides.filter((other) => other.comp_id === id && other.field !== field);
    return (
      <ChangeRow
        key={`${id} ${field}`}
        action="Reset"
        onAction={() => change(withOverrides(changes, id, others))}
      >
        <span>
          Adjusted: <strong>{words.titleOf(id)}</strong> {labelOf(field)} {words.computedOf(id, field)}
          <strong class="nowrap">{formatChangeUsd(amount)}</strong>, <span class="quiet">{reason}</span>
        </span>
      </ChangeRow>
    );
  });
}

/** Kept here while it is typed: a preview of another change arrives meanwhile, and must not restore the text before. */
function ReasonInput(props: {
  readonly id: string | undefined;
  readonly label: string;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
}) {
  const { id, label, reason, onReason } = props;
  const [typed, setTyped] = useState(reason);
  return (
    <input
      id={id}
      class="input reason"
      aria-label={label}
      placeholder="Reason, such as a sale to a relative"
      maxLength={500}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => typed !== reason && onReason(typed)}
    />
  );
}

export function errorOfAdded({ preview, isChanged }: ShownChallenge, at: number): string | null {
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
