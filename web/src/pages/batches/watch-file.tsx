import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import {
  addMissingHomes,
  listHomesNotInFile,
  listPortfolios,
  pathOfPortfolio,
  replaceBalances,
  watchUpload,
  type ChangedBalances,
} from '../../api/portfolios.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { Dialog, FormDialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatCount, formatMany } from '../../parts/format.ts';
import { useHasCreditLimit } from '../../shell/session-context.tsx';
import { RemoveHomesDialog, type ChosenHome } from '../portfolios/remove-homes.tsx';
import { FIRST_RULES, RuleFields, useRules } from '../portfolios/rule-fields.tsx';

/** The choice of a new portfolio. */
const NEW = '';

/** Makes a portfolio of the homes of a valued file. */
export function WatchButton({ id, name }: { readonly id: string; readonly name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Watch these homes …</Button>
      {isOpen && <WatchDialog id={id} fileName={name} onClose={() => setOpen(false)} />}
    </>
  );
}

function WatchDialog(props: {
  readonly id: string;
  readonly fileName: string;
  readonly onClose: () => void;
}) {
  const { id, fileName, onClose } = props;
  const { route } = useLocation();
  const isCharged = useHasCreditLimit();
  const rules = useRules({ name: fileName.replace(/\.[a-z0-9]{1,5}$/i, ''), ...FIRST_RULES });
  const portfolios = useRequest((signal) => listPortfolios(signal), []);
  const [into, setInto] = useState(NEW);
  const [changed, setChanged] = useState<ChangedBalances | null>(null);
  const watching = useAction(async () => {
    if (into === NEW) route(pathOfPortfolio(await watchUpload(id, rules.body)));
    else setChanged(await replaceBalances(id, into));
  });
  if (changed !== null) {
    const homes = portfolios.data?.find(({ portfolio_id: id }) => id === into)?.properties ?? changed.matched;
    return <BalancesDialog id={id} portfolioId={into} homes={homes} changed={changed} onClose={onClose} />;
  }
  const isNew = into === NEW;
  return (
    <FormDialog
      title="Watch these homes"
      action={isNew ? 'Watch' : 'Replace balances'}
      busy="Saving …"
      isDisabled={isNew && !rules.isValid}
      doing={watching}
      onClose={onClose}
    >
      {(portfolios.data?.length ?? 0) > 0 && (
        <SelectField
          label="Portfolio"
          value={into}
          choices={[
            { value: NEW, label: 'A new one' },
            ...(portfolios.data ?? []).map(({ portfolio_id: value, name }) => ({
              value,
              label: `${name}: replace its loan balances`,
            })),
          ]}
          onInput={setInto}
        />
      )}
      {isNew ? (
        <>
          <p>
            The homes are valued again when newer data or models arrive, and alerts say what changed. The
            values that they have are the first
            {isCharged && '; each later run is charged like a batch of the file'}.
          </p>
          <RuleFields rules={rules} doing={watching} />
        </>
      ) : (
        <p>
          Homes are found by your reference. They get the loan balance of this file; homes that are not in the
          file keep theirs. The next run compares with the new balances.{isCharged && ' Nothing is charged.'}
        </p>
      )}
    </FormDialog>
  );
}

function BalancesDialog(props: {
  readonly id: string;
  readonly portfolioId: string;
  /** All of the portfolio. */
  readonly homes: number;
  readonly changed: ChangedBalances;
  readonly onClose: () => void;
}) {
  const { matched, changed, unknown_count: unknown, unknown_property_ids: ids } = props.changed;
  const kept = props.homes - matched;
  const [added, setAdded] = useState<number | null>(null);
  const adding = useAction(async () => setAdded(await addMissingHomes(props.id, props.portfolioId)));
  const [gone, setGone] = useState<readonly ChosenHome[] | null>(null);
  const [removed, setRemoved] = useState<number | null>(null);
  const listing = useAction(async () => {
    const homes = await listHomesNotInFile(props.id, props.portfolioId);
    setGone(homes.map(({ entry, property_id: name }) => ({ entry, name: name ?? 'home' })));
  });
  if (gone !== null && gone.length > 0 && removed === null) {
    return (
      <RemoveHomesDialog
        portfolioId={props.portfolioId}
        homes={gone}
        onRemoved={setRemoved}
        onClose={() => setGone(null)}
      />
    );
  }
  return (
    <Dialog title="Loan balances replaced" onClose={props.onClose}>
      <p>
        {formatMany(matched, 'home')} found by reference; {formatCount(changed)} had another balance.
        {kept > 0 &&
          ` ${formatMany(kept, 'home')} of the portfolio ${kept === 1 ? 'is' : 'are'} not in the file, and ${kept === 1 ? 'keeps its balance' : 'keep their balances'}.`}
      </p>
      {listing.problem && <ProblemNotice problem={listing.problem} />}
      {kept > 0 && gone === null && (
        <div>
          <Button isSmall busy={listing.isBusy && 'Loading …'} onClick={() => void listing.run()}>
            Remove homes that are not in the file …
          </Button>
        </div>
      )}
      {gone?.length === 0 && <p>These homes have no reference. Remove them on the page of the portfolio.</p>}
      {removed !== null && <p>{formatMany(removed, 'home')} removed from the portfolio.</p>}
      {unknown > 0 && (
        <Notice kind="warn" title={`${formatMany(unknown, 'reference')} not found in the portfolio.`}>
          <p>
            {ids.join(', ')}
            {unknown > ids.length && ` and ${formatCount(unknown - ids.length)} more`}
          </p>
          {adding.problem && <ProblemNotice problem={adding.problem} />}
          {added === null ? (
            <Button isSmall busy={adding.isBusy && 'Adding …'} onClick={() => void adding.run()}>
              Add these homes to the portfolio
            </Button>
          ) : (
            <p>{formatMany(added, 'home')} added, with the values and balances of this file.</p>
          )}
        </Notice>
      )}
      <div class="dialog-foot">
        <a class="button" href={pathOfPortfolio(props.portfolioId)}>
          Open the portfolio
        </a>
        <Button onClick={props.onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
