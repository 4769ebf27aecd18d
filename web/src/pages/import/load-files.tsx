import { marketName } from '../../../../src/domain/market-name.ts';
import { loadImport, type ImportKind } from '../../api/imports.ts';
import { listMarkets, type MarketSummary } from '../../api/markets.ts';
import { useAction, useRequest } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { Checkbox, SelectField, TextField } from '../../parts/field.tsx';
import { formatCount } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { rowsOf } from '../markets/words.ts';
import { NEW_MARKET, REPLACED, type ImportChoices } from './file-choices.ts';
import type { FileToLoad } from './import-files.ts';
import { namesOf } from './rows-in-words.ts';

/** `WI Milwaukee` → `wi-milwaukee` */
function marketIdOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

export function isTrainedOn(kind: ImportKind | null): boolean {
  return kind === 'sales' || kind === 'rents';
}

interface LoadProps {
  /** The files that are not loaded, in order. */
  readonly files: readonly FileToLoad[];
  readonly choices: ImportChoices;
  /** The market that other files of this import are in; null if it can be chosen. */
  readonly fixedMarket: string | null;
  readonly onChange: (changed: Partial<ImportChoices>) => void;
  /** Called after they were queued, and if not all of them could be. */
  readonly onQueued: () => void;
}

/** The market of all files, whether it is trained afterwards, and the button that loads them one after the other. */
export function LoadFiles(props: LoadProps) {
  const { files, choices, fixedMarket, onChange, onQueued } = props;
  const { data: markets } = useRequest(listMarkets, []);
  const isNew = fixedMarket === null && choices.market === NEW_MARKET;
  const newId = marketIdOf(choices.newName);
  const marketId = fixedMarket ?? (isNew ? newId : choices.market);
  const replacing = isNew ? [] : files.filter((file) => file.choices.replaces);
  const loading = useAction(async () => {
    try {
      await queueAll(files, { marketId, trains: choices.trains, replacing });
    } finally {
      onQueued();
    }
  });
  const isKnown = isNew && markets?.some(({ id }) => id === newId);
  const reasons = [
    ...reasonsNotToLoad(files),
    ...(isKnown ? [`The market ${newId} exists. Choose it in the list.`] : []),
  ];
  const market = markets?.find(({ id }) => id === marketId);
  const isReady = files.every(({ open, isInspecting }) => open?.length === 0 && !isInspecting);
  return (
    <Section title="Load">
      <div class="stack">
        {fixedMarket === null ? (
          <MarketFields
            markets={markets ?? []}
            choices={choices}
            newId={newId}
            isAdding={!isNew && replacing.length === 0}
            onChange={onChange}
          />
        ) : (
          <p>Market: {marketName(fixedMarket)}</p>
        )}
        {files.some(({ kind }) => isTrainedOn(kind)) && (
          <Checkbox
            label="Train the market afterwards"
            hint="Values come from the newest training. Training takes seconds to minutes."
            isChecked={choices.trains}
            onChange={(trains) => onChange({ trains })}
          />
        )}
        {[...new Set(replacing.map(({ kind }) => kind))].map((kind) => (
          <ReplacedRows key={kind} files={files.filter((file) => file.kind === kind)} market={market} />
        ))}
        {reasons.length > 0 && <p class="small">{reasons.join(' ')}</p>}
        {loading.problem && <ProblemNotice problem={loading.problem} />}
        <div>
          <Button
            kind="primary"
            busy={loading.isBusy && 'Loading …'}
            isDisabled={!isReady || isKnown || marketId === ''}
            onClick={() => void loading.run()}
          >
            Load {whatOf(files)}
          </Button>
        </div>
      </div>
    </Section>
  );
}

interface MarketProps extends Pick<LoadProps, 'choices' | 'onChange'> {
  readonly markets: readonly MarketSummary[];
  readonly newId: string;
  /** To rows that the market has. */
  readonly isAdding: boolean;
}

/** A market of the list, or the name of a new one. */
function MarketFields({ markets, choices, newId, isAdding, onChange }: MarketProps) {
  return (
    <div class="narrow stack">
      <SelectField
        label="Market"
        value={choices.market}
        choices={[
          { value: NEW_MARKET, label: 'New market …' },
          ...markets.map(({ id }) => ({ value: id, label: marketName(id) })),
        ]}
        hint={
          isAdding
            ? 'Rows are added to those of the market. A row of the same record replaces the earlier one.'
            : undefined
        }
        onInput={(market) => onChange({ market })}
      />
      {choices.market === NEW_MARKET && (
        <TextField
          label="Name of the new market"
          hint={`The state and the county or city, such as WI Milwaukee.${newId === '' ? '' : ` Its id will be ${newId}.`}`}
          value={choices.newName}
          maxLength={63}
          onInput={(newName) => onChange({ newName })}
        />
      )}
    </div>
  );
}

/** Files with open decisions, and files that cannot be read. */
function reasonsNotToLoad(files: readonly FileToLoad[]): string[] {
  const named = (some: readonly FileToLoad[]): string => namesOf(some.map(({ state }) => state));
  const undecided = files.filter(({ open }) => open !== null && open.length > 0);
  const unusable = files.filter(({ open, isInspecting, inspection, problem }) => {
    return open === null && !isInspecting && (inspection !== null || problem !== null);
  });
  const toDecide =
    files.length === 1
      ? 'Make the open decisions above first.'
      : `Open these files and decide: ${named(undecided)}.`;
  return [
    ...(undecided.length > 0 ? [toDecide] : []),
    ...(unusable.length > 0 ? [`Cannot be read yet: ${named(unusable)}.`] : []),
  ];
}

/** What the market has now and loses: a file of one month that replaces all years is a usual mistake. */
function ReplacedRows(props: { readonly files: readonly FileToLoad[]; readonly market?: MarketSummary }) {
  const { files, market } = props;
  const kind = files.at(0)?.kind ?? null;
  const before = market && kind ? rowsOf(market, kind) : null;
  if (!market || kind === null || before === null) return null;
  const after = files.reduce((sum, { inspection }) => sum + (inspection?.usable_rows ?? NaN), 0);
  return (
    <Notice kind="warn">
      {namesOf(files.map(({ state }) => state))} {files.length === 1 ? 'replaces' : 'together replace'}{' '}
      {REPLACED[kind]} of {marketName(market.id)}: {formatCount(before)} now
      {kind !== 'index' && !Number.isNaN(after) && `, ${formatCount(after)} afterwards`}. Stored valuations
      stay the same.
    </Notice>
  );
}

/** `140 sales`, `3 files` */
function whatOf(files: readonly FileToLoad[]): string {
  const [{ inspection }] = files;
  if (files.length > 1 || inspection === null) return files.length > 1 ? `${files.length} files` : 'the file';
  const { kind, usable_rows: usable } = inspection;
  return kind === 'index' ? 'the index' : `${formatCount(usable)} ${kind}`;
}

interface Target {
  readonly marketId: string;
  readonly trains: boolean;
  readonly replacing: readonly FileToLoad[];
}

/** Processes load jobs at the same time, but two files of a kind conflict, and a training needs all files before it. */
async function queueAll(files: readonly FileToLoad[], target: Target): Promise<void> {
  const { marketId, trains, replacing } = target;
  const lastTrained = files.findLast(({ kind }) => isTrainedOn(kind));
  for (const [at, file] of files.entries()) {
    const isFirst = files.findIndex(({ kind }) => kind === file.kind) === at;
    await queue(file, {
      after: files.slice(0, at).map(({ id }) => id),
      market_id: marketId,
      trains: trains && file === lastTrained,
      // The others of its kind add to it.
      replaces: isFirst && replacing.some(({ kind }) => kind === file.kind),
    });
  }
}

type Order = Pick<Parameters<typeof loadImport>[1], 'after' | 'market_id' | 'trains' | 'replaces'>;

async function queue(file: FileToLoad, order: Order): Promise<void> {
  const { id, choices, inspection, waitsFor } = file;
  if (inspection === null) return;
  const { decisions, features, leavesOut, place, days } = choices;
  await loadImport(id, {
    kind: inspection.kind,
    mapping: inspection.mapping,
    features,
    leave_out: decisions.leaveOut,
    accept: decisions.accept,
    leaves_out: leavesOut,
    placed_by: waitsFor.map((each) => each.id),
    ...order,
    cbsa: place === '' ? null : place,
    published_after_days: days === '' ? null : Number(days),
  });
}
