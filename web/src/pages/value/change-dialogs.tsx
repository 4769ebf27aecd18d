import { ADJUSTMENT_FIELDS } from '../../../../src/domain/adjustment-fields.ts';
import { useState } from 'preact/hooks';
import { errorIn, fieldError } from '../../api/problem.ts';
import { useAction } from '../../api/use-request.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { ParagraphField, Segments, TextField } from '../../parts/field.tsx';
import { formatUsd, withReadableDates } from '../../parts/format.ts';
import { amountText, numberIn } from '../../parts/number-in.ts';
import { AddressField } from '../../parts/map/address-field.tsx';
import { parseLocation } from '../../parts/map/location.ts';
import { placeOfAdded, type Override, type SaleToAdd } from './changes.ts';
import { labelOf } from './fields.ts';
import { differenceText, type GridRow } from './grid.ts';

const DETAILS = [
  { name: 'total_bedrooms', label: 'Bedrooms' },
  { name: 'total_bathrooms', label: 'Bathrooms' },
  { name: 'living_area', label: 'Living area, sq ft' },
  { name: 'year_built', label: 'Year built' },
] as const;

interface AddSaleProps {
  /** The sale to change; undefined adds one. */
  readonly sale: SaleToAdd | undefined;
  /** Its position among the added sales. */
  readonly at: number;
  readonly onClose: () => void;
  /** Throws the server's problem if the sale is rejected. */
  readonly onAdd: (sale: SaleToAdd) => Promise<void>;
}

/** The members of a sale that the dialog shows errors at. */
const SALE_MEMBERS = [
  'comp_id',
  'address',
  'sale_price',
  'sale_date',
  ...DETAILS.map(({ name }) => `property_fields.${name}`),
];

const SALE_CHOICES = [
  { value: false, label: 'Enter a sale' },
  { value: true, label: 'By record ID' },
] as const;

/** A sale of the market's data by its id, or one that they lack. It stays open until the server accepts the sale. */
export function AddSaleDialog(props: AddSaleProps) {
  const { sale, at, onClose, onAdd } = props;
  const [isKnown, setKnown] = useState(Boolean(sale?.comp_id));
  const [id, setId] = useState(sale?.comp_id ?? '');
  const [texts, setTexts] = useState(() => textsOf(sale));
  const adding = useAction(async (added: SaleToAdd) => {
    await onAdd(added);
    onClose();
  });
  const usd = numberIn(texts.price);
  const given = DETAILS.flatMap(({ name }) => {
    const text = texts.details[name] ?? '';
    return text.trim() === '' ? [] : [[name, numberIn(text)] as const];
  });
  const isWrong = given.some(([, value]) => !(value >= 0)) || (texts.price.trim() !== '' && !(usd > 0));
  const entered = (): SaleToAdd => {
    const details = { ...otherDetailsOf(sale), ...Object.fromEntries(given) };
    return {
      sale_price: usd,
      sale_date: texts.date,
      ...parseLocation(texts.address),
      ...(Object.keys(details).length > 0 ? { property_fields: details } : {}),
    };
  };
  const path = `comparables.added.${at}`;
  const rejected = (member: string): string | null => {
    const error = errorIn(adding.problem, `${path}.${member}`);
    return error && sentenceOf(error);
  };
  // The server names no member for a sale that is not found, or that cannot be compared.
  const whole = fieldError(adding.problem, path);
  const isAtField = whole !== null || SALE_MEMBERS.some((member) => rejected(member) !== null);
  const rejectedSale = whole && sentenceOf(`this sale ${whole}`);
  return (
    <FormDialog
      title={sale ? 'Change the added sale' : 'Add a sale'}
      action={sale ? 'Change' : 'Add'}
      busy="Checking …"
      isDisabled={!isKnown && isWrong}
      doing={{
        ...adding,
        // What is said at a field is not repeated below.
        problem: isAtField ? null : adding.problem,
        run: () => adding.run(isKnown ? { comp_id: id.trim() } : entered()),
      }}
      onClose={onClose}
    >
      <Segments aria-label="Which sale" choices={SALE_CHOICES} value={isKnown} onChange={setKnown} />
      {isKnown ? (
        <TextField
          label="Record ID"
          hint="Of a sale of this market. The list of sales of a market shows the IDs."
          value={id}
          isRequired
          maxLength={200}
          error={rejected('comp_id') ?? rejectedSale}
          onInput={setId}
        />
      ) : (
        <SaleFields
          texts={texts}
          rejected={(member) => rejected(member) ?? (member === 'address' ? rejectedSale : null)}
          onChange={setTexts}
        />
      )}
    </FormDialog>
  );
}

interface SaleTexts {
  readonly price: string;
  readonly date: string;
  readonly address: string;
  readonly details: Readonly<Record<string, string>>;
}

function textsOf(sale: SaleToAdd | undefined): SaleTexts {
  const details = DETAILS.map(({ name }) => [name, String(sale?.property_fields?.[name] ?? '')]);
  return {
    price: amountText(sale?.sale_price),
    date: sale?.sale_date ?? '',
    address: placeOfAdded(sale),
    details: Object.fromEntries(details),
  };
}

/** Details of a revised challenge that the form does not have. */
function otherDetailsOf(sale: SaleToAdd | undefined) {
  const names = new Set<string>(DETAILS.map(({ name }) => name));
  return Object.fromEntries(Object.entries(sale?.property_fields ?? {}).filter(([name]) => !names.has(name)));
}

/** `must not be after 2026-11-29` → `Must not be after Nov 29, 2026.` */
export function sentenceOf(error: string): string {
  const text = withReadableDates(error)
    .replace(/\.$/, '')
    .replace(/(?<=at (?:least|most) )\d+/, (limit) => amountText(Number(limit)));
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/** What is left blank comes from the public record. */
function SaleFields(props: {
  readonly texts: SaleTexts;
  readonly rejected: (member: string) => string | null;
  readonly onChange: (texts: SaleTexts) => void;
}) {
  const { texts, rejected, onChange } = props;
  const { price, details } = texts;
  const isNoNumber = (text: string): boolean => text.trim() !== '' && !(numberIn(text) >= 0);
  return (
    <>
      <AddressField
        label="Address or coordinates"
        text={texts.address}
        isRequired
        error={rejected('address')}
        onText={(address) => onChange({ ...texts, address })}
        onChoose={(address) => onChange({ ...texts, address })}
      />
      <div class="pair">
        <TextField
          label="Price, USD"
          value={price}
          isRequired
          inputMode="numeric"
          onInput={(typed) => onChange({ ...texts, price: typed })}
          error={
            price.trim() === '' || numberIn(price) > 0
              ? rejected('sale_price')
              : 'Enter the price in dollars, such as 310,000.'
          }
        />
        <TextField
          label="Date of sale"
          type="date"
          value={texts.date}
          isRequired
          error={rejected('sale_date')}
          onInput={(date) => onChange({ ...texts, date })}
        />
        {DETAILS.map(({ name, label }) => (
          <TextField
            key={name}
            label={label}
            inputMode="decimal"
            value={details[name] ?? ''}
            error={
              isNoNumber(details[name] ?? '')
                ? 'Enter a number, or leave it blank.'
                : rejected(`property_fields.${name}`)
            }
            onInput={(text) => onChange({ ...texts, details: { ...details, [name]: text } })}
          />
        ))}
      </div>
      <p class="small quiet">
        Details that you leave blank come from the public record, or from nearby homes.
      </p>
    </>
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
    if (!line) return [];
    // The details of "other" are a list, which the grid shows.
    return [{ field, amount: line.amount, homes: field === 'other' ? null : differenceText(field, line) }];
  });
  const changed = lines.flatMap(({ field, amount }): Override[] => {
    const typed = numberIn(texts[field] ?? '');
    const isChanged = field in texts && Number.isInteger(typed) && typed !== amount;
    return isChanged ? [{ comp_id: row.id, field, amount: typed, reason: reason.trim() }] : [];
  });
  const isWrong = (field: string): boolean => field in texts && !Number.isInteger(numberIn(texts[field]));
  const adjusted = changed.reduce(
    (price, { field, amount }) => price + amount - (row.lines.get(field)?.amount ?? 0),
    row.adjusted,
  );
  const adjusting = useAction(async () => {
    onAdjust(changed);
    onClose();
  });
  return (
    <FormDialog
      title={`Adjustments of ${row.title}`}
      action="Change"
      busy="Changing …"
      isDisabled={changed.length === 0 || Object.keys(texts).some(isWrong)}
      doing={adjusting}
      onClose={onClose}
    >
      <p class="small quiet">
        Below an amount is what the comparable has → what this home has, or what both have.
      </p>
      <div class="pair">
        {lines.map(({ field, amount, homes }) => (
          <TextField
            key={field}
            label={`${labelOf(field)}, USD`}
            hint={homes}
            value={texts[field] ?? amountText(amount)}
            error={isWrong(field) ? 'Enter whole dollars, such as -2,500.' : null}
            onInput={(text) => setTexts({ ...texts, [field]: text })}
          />
        ))}
      </div>
      <p role="status">
        {formatUsd(row.price)} with these adjustments: <strong>{formatUsd(adjusted)}</strong>
        {adjusted !== row.adjusted && <span class="quiet"> instead of {formatUsd(row.adjusted)}</span>}
      </p>
      <ParagraphField label="Reason" value={reason} isRequired maxLength={500} onInput={setReason} />
    </FormDialog>
  );
}
