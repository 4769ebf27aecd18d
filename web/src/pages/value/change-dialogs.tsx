import { ADJUSTMENT_FIELDS } from '../../../../src/domain/adjustment-fields.ts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/use-request.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { Segments, TextField } from '../../parts/field.tsx';
import type { Override, SaleToAdd } from './changes.ts';
import { labelOf } from './fields.ts';
import type { GridRow } from './grid.ts';
import { numberIn } from './number-in.ts';

const DETAILS = [
  { name: 'total_bedrooms', label: 'Bedrooms' },
  { name: 'total_bathrooms', label: 'Bathrooms' },
  { name: 'living_area', label: 'Living area, sq ft' },
  { name: 'year_built', label: 'Year built' },
] as const;

type AddSaleProps = { readonly onClose: () => void; readonly onAdd: (sale: SaleToAdd) => void };

const SALE_CHOICES = [
  { value: false, label: 'Enter a sale' },
  { value: true, label: 'By record ID' },
] as const;

/** A sale of the market's data by its id, or one that they lack. */
export function AddSaleDialog(props: AddSaleProps) {
  const [isKnown, setKnown] = useState(false);
  const choice = (
    <Segments aria-label="Which sale" choices={SALE_CHOICES} value={isKnown} onChange={setKnown} />
  );
  return isKnown ? (
    <KnownSaleForm {...props} choice={choice} />
  ) : (
    <OtherSaleForm {...props} choice={choice} />
  );
}

function KnownSaleForm({ onClose, onAdd, choice }: AddSaleProps & { readonly choice: ComponentChildren }) {
  const [id, setId] = useState('');
  const adding = useAction(async () => {
    onAdd({ comp_id: id.trim() });
    onClose();
  });
  return (
    <FormDialog
      title="Add a sale"
      action="Add"
      busy="Adding …"
      isDisabled={id.trim() === ''}
      doing={adding}
      onClose={onClose}
    >
      {choice}
      <TextField
        label="Record ID"
        hint="Of a sale of this market. The list of sales of a market shows the IDs."
        value={id}
        isRequired
        maxLength={200}
        onInput={setId}
      />
    </FormDialog>
  );
}

/** What is left blank comes from the public record. */
function OtherSaleForm({ onClose, onAdd, choice }: AddSaleProps & { readonly choice: ComponentChildren }) {
  const [price, setPrice] = useState('');
  const [date, setDate] = useState('');
  const [address, setAddress] = useState('');
  const [details, setDetails] = useState<Readonly<Record<string, string>>>({});
  const usd = numberIn(price);
  const given = Object.entries(details).flatMap(([name, text]) =>
    text.trim() === '' ? [] : [[name, numberIn(text)] as const],
  );
  const isWrong = given.some(([, value]) => !(value >= 0));
  const adding = useAction(async () => {
    onAdd({
      sale_price: usd,
      sale_date: date,
      address: address.trim(),
      ...(given.length > 0 ? { property_fields: Object.fromEntries(given) } : {}),
    });
    onClose();
  });
  return (
    <FormDialog
      title="Add a sale"
      action="Add"
      busy="Adding …"
      isDisabled={!(usd > 0) || isWrong || date === '' || address.trim() === ''}
      doing={adding}
      onClose={onClose}
    >
      {choice}
      <TextField label="Address" value={address} isRequired maxLength={500} onInput={setAddress} />
      <div class="pair">
        <TextField
          label="Price, USD"
          value={price}
          isRequired
          inputMode="numeric"
          onInput={setPrice}
          error={price.trim() === '' || usd > 0 ? null : 'Enter the price in dollars, such as 310,000.'}
        />
        <TextField label="Day of sale" type="date" value={date} isRequired onInput={setDate} />
        {DETAILS.map(({ name, label }) => (
          <TextField
            key={name}
            label={label}
            inputMode="decimal"
            value={details[name] ?? ''}
            error={
              given.some((one) => one[0] === name && !(one[1] >= 0))
                ? 'Enter a number, or leave it blank.'
                : null
            }
            onInput={(text) => setDetails({ ...details, [name]: text })}
          />
        ))}
      </div>
      <p class="small quiet">
        Details that you leave blank come from the public record, or from nearby homes.
      </p>
    </FormDialog>
  );
}

/** The lines of one comparable, to change with a reason. */
export function AdjustDialog(props: {
  readonly row: GridRow;
  readonly onClose: () => void;
  readonly onAdjust: (lines: readonly Override[]) => void;
}) {
  const { row, onClose, onAdjust } = props;
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [reason, setReason] = useState('');
  const lines = ADJUSTMENT_FIELDS.flatMap((field) => {
    const line = row.lines.get(field);
    return line ? [{ field, amount: line.amount }] : [];
  });
  const changed = lines.flatMap(({ field, amount }): Override[] => {
    const typed = numberIn(texts[field] ?? '');
    const isChanged = field in texts && Number.isInteger(typed) && typed !== amount;
    return isChanged ? [{ comp_id: row.id, field, amount: typed, reason: reason.trim() }] : [];
  });
  const isWrong = (field: string): boolean => field in texts && !Number.isInteger(numberIn(texts[field]));
  const adjusting = useAction(async () => {
    onAdjust(changed);
    onClose();
  });
  return (
    <FormDialog
      title={`Adjustments of ${row.title}`}
      action="Change"
      busy="Changing …"
      isDisabled={changed.length === 0 || Object.keys(texts).some(isWrong) || reason.trim() === ''}
      doing={adjusting}
      onClose={onClose}
    >
      <div class="pair">
        {lines.map(({ field, amount }) => (
          <TextField
            key={field}
            label={`${labelOf(field)}, USD`}
            value={texts[field] ?? String(amount)}
            error={isWrong(field) ? 'Enter whole dollars, such as -2,500.' : null}
            onInput={(text) => setTexts({ ...texts, [field]: text })}
          />
        ))}
      </div>
      <TextField label="Reason" value={reason} isRequired maxLength={500} onInput={setReason} />
    </FormDialog>
  );
}
