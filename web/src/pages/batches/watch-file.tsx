import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { pathOfPortfolio, watchUpload, type WatchRequest } from '../../api/portfolios.ts';
import { useAction } from '../../api/use-request.ts';
import { Button } from '../../parts/basics.tsx';
import { FormDialog, NameField } from '../../parts/dialog.tsx';
import { Checkbox, SelectField, TextField } from '../../parts/field.tsx';

const EVERY = [
  { value: 'day', label: 'At most once a day' },
  { value: 'week', label: 'At most once a week' },
  { value: 'month', label: 'At most once a month' },
  { value: 'never', label: 'Only when I ask' },
] as const;

/** Makes a portfolio of the homes of a valued file. */
export function WatchButton({ id, name }: { readonly id: string; readonly name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Watch …</Button>
      {isOpen && <WatchDialog id={id} fileName={name} onClose={() => setOpen(false)} />}
    </>
  );
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

function WatchDialog(props: {
  readonly id: string;
  readonly fileName: string;
  readonly onClose: () => void;
}) {
  const { id, fileName, onClose } = props;
  const { route } = useLocation();
  const [name, setName] = useState(fileName.replace(/\.[a-z0-9]{1,5}$/i, ''));
  const [every, setEvery] = useState<string>('day');
  const [change, setChange] = useState('5');
  const [isOutside, setOutside] = useState(true);
  const [ltv, setLtv] = useState('');
  const [miles, setMiles] = useState('');
  const watching = useAction(async () => {
    const revalueEvery = EVERY.find(({ value }) => value === every)?.value ?? 'day';
    const body: WatchRequest = {
      name,
      revalue_every: revalueEvery,
      alerts: {
        change_pct: numberOf(change),
        outside_range: isOutside,
        ltv_pct: numberOf(ltv),
        sold_within_mi: numberOf(miles),
      },
    };
    route(pathOfPortfolio(await watchUpload(id, body)));
  });
  return (
    <FormDialog
      title="Watch these homes"
      action="Watch"
      busy="Saving …"
      isDisabled={[change, ltv, miles].some((limit) => Number.isNaN(numberOf(limit)))}
      doing={watching}
      onClose={onClose}
    >
      <p>
        The homes are valued again when newer data or models arrive, and alerts say what changed. The values
        that they have are the first; each later run is charged like a batch of the file.
      </p>
      <NameField value={name} onInput={setName} creating={watching} />
      <SelectField label="Value again" value={every} choices={EVERY} onInput={setEvery} />
      <LimitField
        label="Values that change by at least, %"
        hint="Empty: no such alerts"
        value={change}
        onInput={setChange}
      />
      <Checkbox
        label="Values outside the 90% range of the run before"
        isChecked={isOutside}
        onChange={setOutside}
      />
      <LimitField
        label="Loans that come to exceed, % of the value"
        hint="Empty: no such alerts. The file needs a column with loan balances."
        value={ltv}
        onInput={setLtv}
      />
      <LimitField
        label="New sales within, miles"
        hint="Empty: no such alerts"
        value={miles}
        onInput={setMiles}
      />
    </FormDialog>
  );
}
