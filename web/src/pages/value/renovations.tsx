import { useState } from 'preact/hooks';
import { RENOVATIONS } from '../../../../src/domain/renovation-assumptions.ts';
import type { ChallengePreview } from '../../api/challenges.ts';
import { useAction } from '../../api/use-request.ts';
import { Button } from '../../parts/basics.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { formatChangeUsd, formatPercent, formatUsd } from '../../parts/format.ts';
import { amountText, numberIn, wrongNumber } from '../../parts/number-in.ts';
import { Figures, Section } from '../../parts/page.tsx';
import { actionsColumn, Table, type Column } from '../../parts/table.tsx';
import { withoutRenovation, withRenovation, type Renovation } from './changes.ts';
import type { ShownChallenge } from './use-challenge.ts';

type Renovated = NonNullable<ChallengePreview['changes']['renovations']>;
type Priced = Renovated['items'][number];

const ASSUMPTION = `${formatPercent(RENOVATIONS.valueShare, 0)} of the cost of new work, falling to 0 in ${RENOVATIONS.lifeYears} years`;

/** Work on the home with its cost, and what it adds to the value. */
export function RenovationsSection({ challenge }: { readonly challenge: ShownChallenge }) {
  const { id, changes, change, preview, isChanged } = challenge;
  const [edited, setEdited] = useState<number | null>(null);
  if (id === null) return null;
  const { renovations } = changes;
  const priced = isChanged ? (preview.data?.changes.renovations ?? null) : null;
  const rows = renovations.map((renovation, at) => ({ at, ...rowOf(renovation, priced?.items[at]) }));
  return (
    <Section
      title="Renovations"
      lead="Work that the details above do not show. Completed work is part of the value as is, planned work of the value as repaired."
      actions={
        <Button isSmall onClick={() => setEdited(renovations.length)}>
          Add a renovation
        </Button>
      }
    >
      {rows.length > 0 && (
        <>
          <RenovationTable
            rows={rows}
            actions={({ at, description }) => (
              <>
                <Button isSmall label={`Edit ${description}`} onClick={() => setEdited(at)}>
                  Edit
                </Button>
                <Button
                  isSmall
                  label={`Remove ${description}`}
                  onClick={() => change(withoutRenovation(changes, at))}
                >
                  Remove
                </Button>
              </>
            )}
          />
          {priced && <AsIsAndRepaired renovated={priced} />}
        </>
      )}
      {edited !== null && (
        <RenovationDialog
          renovation={renovations[edited] ?? null}
          onClose={() => setEdited(null)}
          onDone={(renovation) => change(withRenovation(changes, edited, renovation))}
        />
      )}
    </Section>
  );
}

/** The renovations of a stored value. */
export function StoredRenovations({ renovated }: { readonly renovated: Renovated }) {
  return (
    <Section title="Renovations">
      <RenovationTable rows={renovated.items.map((item, at) => ({ at, ...item }))} />
      <AsIsAndRepaired renovated={renovated} />
    </Section>
  );
}

type RenovationRow = Pick<Priced, 'description' | 'cost' | 'year'> & {
  readonly at: number;
  /** Null until the value with it is known. */
  readonly amount: number | null;
  readonly is_planned: boolean | null;
};

/** While a change of the list loads, `priced` may still be that of the list before. */
function rowOf({ description, cost, year = null }: Renovation, priced: Priced | undefined) {
  const isSame = priced?.description === description && priced.cost === cost && priced.year === year;
  return {
    description,
    cost,
    year,
    amount: isSame ? priced.amount : null,
    is_planned: isSame ? priced.is_planned : null,
  };
}

function RenovationTable(props: {
  readonly rows: readonly RenovationRow[];
  readonly actions?: Parameters<typeof actionsColumn<RenovationRow>>[0];
}) {
  const columns: Column<RenovationRow>[] = [
    // Few columns, so that a phone shows the buttons.
    {
      label: 'Renovation',
      isRowHeader: true,
      cell: ({ description, year, is_planned: isPlanned }) => (
        <>
          {description}
          <span class="quiet small second-line">
            {year === null ? 'Planned' : isPlanned ? `Planned, ${year}` : `Completed ${year}`}
          </span>
        </>
      ),
    },
    { label: 'Cost', isNumber: true, cell: ({ cost }) => formatUsd(cost) },
    {
      label: 'Adds',
      isNumber: true,
      cell: ({ amount, cost }) => (
        <>
          {formatChangeUsd(amount)}
          {amount !== null && cost > 0 && (
            <span class="quiet small second-line">{formatPercent(amount / cost, 0)} of the cost</span>
          )}
        </>
      ),
    },
  ];
  return (
    <Table
      caption="Renovations"
      rows={props.rows}
      keyOf={({ at }) => at}
      columns={props.actions ? [...columns, actionsColumn(props.actions)] : columns}
    />
  );
}

function AsIsAndRepaired({
  renovated: { items, as_is: asIs, as_repaired: repaired },
}: {
  readonly renovated: Renovated;
}) {
  const { estimated_value: value, estimated_value_low: low, estimated_value_high: high } = repaired;
  return (
    <>
      {items.some(({ is_planned: isPlanned }) => isPlanned) && (
        <Figures
          figures={[
            { label: 'Value as is', value: formatUsd(asIs), note: 'with completed work' },
            {
              label: 'Value as repaired',
              value: formatUsd(value),
              note: `90% range ${formatUsd(low)} – ${formatUsd(high)}`,
            },
            {
              label: 'Planned work adds',
              value: formatChangeUsd(value - asIs),
            },
          ]}
        />
      )}
      <p class="small quiet">
        Where no share was entered, the market is assumed to pay {ASSUMPTION}. Sales do not record
        renovations, so this is not measured, and it makes the range wider.
      </p>
    </>
  );
}

function RenovationDialog(props: {
  /** Null for another one. */
  readonly renovation: Renovation | null;
  readonly onClose: () => void;
  readonly onDone: (renovation: Renovation) => void;
}) {
  const { renovation, onClose, onDone } = props;
  const [description, setDescription] = useState(renovation?.description ?? '');
  const [cost, setCost] = useState(amountText(renovation?.cost));
  const [year, setYear] = useState(textOf(renovation?.year));
  const [share, setShare] = useState(textOf(renovation?.value_share, 100));
  const wrongCost = wrongNumber(cost, [0, 1e9], 'Enter the cost in dollars, such as 18,000.');
  const wrongYear = wrongNumber(year, [1800, 2100], 'Enter a year, such as 2024, or leave it blank.', true);
  const wrongShare = wrongNumber(share, [0, 200], 'Enter a percentage from 0 to 200, or leave it blank.');
  const doing = useAction(async () => {
    onDone({
      description: description.trim(),
      cost: numberIn(cost),
      ...(year.trim() === '' ? {} : { year: numberIn(year) }),
      ...(share.trim() === '' ? {} : { value_share: numberIn(share) / 100 }),
    });
    onClose();
  });
  return (
    <FormDialog
      title={renovation ? 'Edit the renovation' : 'Add a renovation'}
      action={renovation ? 'Change' : 'Add'}
      busy="Saving …"
      isDisabled={Boolean(wrongCost ?? wrongYear ?? wrongShare)}
      doing={doing}
      onClose={onClose}
    >
      <TextField
        label="What was or will be done"
        placeholder="New kitchen"
        value={description}
        isRequired
        maxLength={500}
        onInput={setDescription}
      />
      <div class="pair">
        <TextField
          label="Cost, USD"
          value={cost}
          isRequired
          inputMode="numeric"
          error={wrongCost}
          onInput={setCost}
        />
        <TextField
          label="Year of completion"
          hint="Leave blank if it is only planned."
          value={year}
          inputMode="numeric"
          error={wrongYear}
          onInput={setYear}
        />
      </div>
      <TextField
        label="Share of the cost that the market pays, %"
        hint={`Leave blank for the assumption: ${ASSUMPTION}.`}
        value={share}
        inputMode="decimal"
        error={wrongShare}
        onInput={setShare}
      />
    </FormDialog>
  );
}

function textOf(value: number | null | undefined, times = 1): string {
  return value === null || value === undefined ? '' : String(Math.round(100 * times * value) / 100);
}
