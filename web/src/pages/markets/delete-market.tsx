import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { marketName } from '../../../../src/domain/market-name.ts';
import { deleteMarket, readMarketContents, type MarketContents } from '../../api/markets.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { Button, Notice, WhenLoaded } from '../../parts/basics.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { formatCount, formatMany } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { DATA } from './words.ts';

/** Deleting a market, after its name is typed. */
export function DeleteMarket({ market }: { readonly market: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Delete the market"
      anchor="delete"
      lead="Removes its data and models. Stored valuations stay."
    >
      <div>
        <Button kind="danger" onClick={() => setOpen(true)}>
          Delete {marketName(market)} …
        </Button>
      </div>
      {isOpen && <DeleteDialog market={market} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function DeleteDialog({ market, onClose }: { readonly market: string; readonly onClose: () => void }) {
  const { route } = useLocation();
  const [typed, setTyped] = useState('');
  const contents = useRequest((signal) => readMarketContents(market, signal), [market]);
  const deleting = useAction(async () => {
    await deleteMarket(market, typed.trim());
    route('/console/markets');
  });
  return (
    <FormDialog
      title={`Delete ${marketName(market)}?`}
      action="Delete the market"
      busy="Deleting …"
      kind="danger"
      doing={deleting}
      isDisabled={typed.trim() !== market || contents.data === null}
      onClose={onClose}
    >
      <WhenLoaded of={contents} waiting="Counting what the market has">
        {(found) => <Contents of={found} />}
      </WhenLoaded>
      <TextField
        label={`Type ${market} to confirm`}
        value={typed}
        autoComplete="off"
        maxLength={63}
        onInput={setTyped}
      />
    </FormDialog>
  );
}

function Contents({
  of: { datasets, models, blob_bytes: bytes, valuations },
}: {
  readonly of: MarketContents;
}) {
  return (
    <>
      <p>This removes for all users:</p>
      <ul>
        {datasets.map(({ kind, rows, versions }) => (
          <li key={kind}>
            {DATA[kind].name}: {formatMany(rows, 'row')}, {formatMany(versions, 'version')}
          </li>
        ))}
        <li>
          {formatMany(models, 'model')}, with snapshots {formatCount(Math.ceil(bytes / 1e6))} MB
        </li>
      </ul>
      {valuations > 0 && (
        <Notice
          kind="warn"
          title={`${formatMany(valuations, 'stored valuation')} cannot be replayed afterward.`}
        >
          <p>They can still be read.</p>
        </Notice>
      )}
      <p>It cannot be undone. A large market takes minutes; it values no home from the first second on.</p>
    </>
  );
}
