import { marketName } from '../../../../src/domain/market-name.ts';
import { IMPORT_KINDS } from '../../api/imports.ts';
import { readMarket, type Market, type MarketWork } from '../../api/markets.ts';
import { usePolled } from '../../api/use-request.ts';
import { WhenLoaded, Notice, Progress } from '../../parts/basics.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import {
  formatAgo,
  formatCount,
  formatDay,
  formatMany,
  formatMoment,
  formatPercent,
  withReadableDates,
} from '../../parts/format.ts';
import { Figures, Page, Section, SectionLinks } from '../../parts/page.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { Accuracy } from './accuracy.tsx';
import { Versions } from './loaded-data.tsx';
import { DeleteMarket } from './delete-market.tsx';
import { MarketJobs } from './market-jobs.tsx';
import { ModelHistory } from './model-history.tsx';
import { ParcelValues } from './parcel-values.tsx';
import {
  DATA,
  DATA_KINDS,
  heldBackModels,
  importCommand,
  lackName,
  MODEL_NAMES,
  rowsOf,
  workTitle,
} from './words.ts';

/** A progress bar should move; without one it is enough to notice that something has started. */
const BUSY_MS = 2000;
const QUIET_MS = 15_000;

export function pollMs(work: readonly Pick<MarketWork, 'state'>[]): number {
  return work.some(({ state }) => state !== 'lost') ? BUSY_MS : QUIET_MS;
}

/** One market: running work, accuracy, loaded data, missing data, and models. */
export function MarketPage({ id }: { readonly id: string }) {
  const { session, isAdministrator } = useSession();
  const asked = usePolled(
    (signal) => readMarket(id, signal),
    (market) => pollMs(market?.work ?? []),
    [id],
  );
  return (
    <Page
      title={marketName(id)}
      lead={
        <>
          Market <code>{id}</code> in commands and the API.
        </>
      }
      isWide
      actions={
        <>
          {session.is_operator && asked.data && (
            <a class="button" href={`/console/markets/${id}/sales`}>
              Review sales
            </a>
          )}
          <a class="button" href="/console/markets">
            All markets
          </a>
        </>
      }
    >
      <WhenLoaded of={asked} waiting="Loading the market">
        {(market) => (
          <>
            <SectionLinks
              sections={[
                ['accuracy', 'Accuracy'],
                ...(isAdministrator ? ([['parcel-values', 'Values of all parcels']] as const) : []),
                ['data', 'Data'],
                ...(market.lacks.length > 0 ? ([['missing-data', 'Missing data']] as const) : []),
                ['models', 'Models'],
                ...(session.is_operator
                  ? ([
                      ['history', 'History'],
                      ['delete', 'Delete the market'],
                    ] as const)
                  : []),
              ]}
            />
            <Work work={market.work} />
            {!market.work.some(({ task, state }) => task === 'train' && state !== 'lost') && (
              <EndedTraining of={market.ended_training} />
            )}
            <HeldBack history={market.history} />
            <Summary market={market} />
            <Accuracy market={market} onChanged={asked.reload} />
            {isAdministrator && <ParcelValues market={market} />}
            <Section
              title="Data"
              anchor="data"
              lead="Active versions. Each import creates a new version. It keeps the rows of the version before, unless the import replaces them."
            >
              <Versions versions={market.versions} />
            </Section>
            <MissingData market={market} />
            <Section
              title="Models"
              anchor="models"
              lead="One per kind and training date. A valuation uses the newest active model trained on or before its as-of date."
            >
              <ModelHistory market={market} onChanged={asked.reload} />
            </Section>
            {session.is_operator && (
              <>
                <MarketJobs market={id} work={market.work} />
                <DeleteMarket market={id} />
              </>
            )}
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

export function lastOf(types: Market['sale_types']): string | null {
  return types.reduce<string | null>((last, { last_on }) => (last && last > last_on ? last : last_on), null);
}

function Summary({ market }: { readonly market: Market }) {
  const property = market.models.find(({ kind }) => kind === 'property');
  const accuracy = property?.accuracy ?? null;
  const coverage = accuracy?.coverage_90 ?? null;
  const noteOf = (last: string | null): string =>
    last === null ? 'none loaded' : `last on ${formatDay(last)}`;
  return (
    <Figures
      figures={[
        {
          label: 'Sales',
          value: formatCount(rowsOf(market, 'sales')),
          note: noteOf(lastOf(market.sale_types)),
        },
        {
          label: 'Rents',
          value: formatCount(rowsOf(market, 'rents')),
          note: noteOf(lastOf(market.rent_types)),
        },
        {
          label: 'Median error (homes)',
          value: formatPercent(accuracy?.mdape),
          note: accuracy ? `of ${formatMany(accuracy.n, 'holdout sale')}` : 'not measured',
        },
        {
          label: 'Prices in the 90% range',
          value: formatPercent(coverage),
          note: coverage === null ? 'not measured' : 'target 90%',
        },
        {
          label: 'Trained as of',
          value: formatDay(property?.trained_on),
          note: property ? formatMany(property.count, 'home model') : 'no home model',
        },
      ]}
    />
  );
}

/** Running and queued work, and work that stopped unexpectedly. */
function Work({ work }: { readonly work: readonly MarketWork[] }) {
  const lost = work.filter(({ state }) => state === 'lost');
  const open = work.filter(({ state }) => state !== 'lost');
  const keyOf = ({ task, kind, begun_at }: MarketWork): string => `${task} ${kind} ${begun_at}`;
  return (
    <>
      {open.length > 0 && (
        <Section title="Running now">
          <div class="card stack">
            {open.map((each) => (
              <OpenWork key={keyOf(each)} work={each} />
            ))}
          </div>
        </Section>
      )}
      {lost.map((each) => (
        <Notice key={keyOf(each)} kind="warn" title={`${workTitle(each)} stopped unexpectedly`}>
          Started {formatMoment(each.begun_at)}, last active {formatAgo(each.seen_at, new Date())}
          {each.step && ` (${each.step})`}. It changed nothing. Start it again.
        </Notice>
      ))}
    </>
  );
}

function EndedTraining({ of }: { readonly of: Market['ended_training'] }) {
  if (of === null) return null;
  const ended = formatAgo(of.ended_at, new Date());
  if (of.failure === null) {
    return <p class="quiet">The last training ended {ended}. “History” below has its result.</p>;
  }
  return (
    <Notice kind="warn" title={`The last training ended without a model ${ended}`}>
      {withReadableDates(of.failure)}
    </Notice>
  );
}

/** Which models value the market while newer ones, which are worse, wait. */
function HeldBack({ history }: { readonly history: Market['history'] }) {
  return (
    <>
      {heldBackModels(history).map(({ waiting, active }) => (
        <Notice
          key={waiting.id}
          kind="warn"
          title={
            active
              ? `${MODEL_NAMES[waiting.kind]} are valued by the model created ${formatMoment(active.created_at)}. A newer one is held back.`
              : `${MODEL_NAMES[waiting.kind]} have no active model: the newest one is held back.`
          }
        >
          <p>
            The newer one was created {formatMoment(waiting.created_at)}.{' '}
            {withReadableDates(waiting.state_reason ?? '')} Administrators can activate it under “Models”
            below.
          </p>
        </Notice>
      ))}
    </>
  );
}

function OpenWork({ work }: { readonly work: MarketWork }) {
  const { state, step, share, begun_at } = work;
  const title = <strong>{workTitle(work)}</strong>;
  if (state === 'queued') {
    return (
      <p>
        {title} queued since {formatMoment(begun_at)}. It starts when a server or worker process is free.
      </p>
    );
  }
  return (
    <Progress
      label={
        <>
          {title}: {step ?? 'starting'}
          {share !== null && `, ${formatPercent(share, 0)} of this step`}
        </>
      }
      {...(share === null ? {} : { value: share })}
      note={`Started ${formatAgo(begun_at, new Date())}`}
    />
  );
}

/** What a market lacks, what that means, and for operators how to load it. */
function MissingData({ market: { id, lacks } }: { readonly market: Market }) {
  const { session } = useSession();
  if (lacks.length === 0) return null;
  return (
    <Section
      title="Missing data"
      anchor="missing-data"
      lead={
        session.is_operator
          ? 'Commands are for the machine where Plumbline runs, with your own file names.'
          : 'An operator of this installation can load it.'
      }
    >
      <div class="missing-list">
        {lacks.map(({ code, message }) => (
          <div class="section" key={code}>
            <p>{withReadableDates(message)}</p>
            {session.is_operator && <LoadMissing code={code} market={id} />}
          </div>
        ))}
      </div>
    </Section>
  );
}

/** How an operator loads what a market lacks: by a training, on the page Import, or by a command. */
function LoadMissing({ code, market }: { readonly code: string; readonly market: string }) {
  if (code === 'model') return <p class="small">Train one under “Models” below.</p>;
  const kind =
    DATA_KINDS.find((each) => each.replace('-', '_') === code) ??
    (code === 'recent_rents' ? 'rents' : 'sales');
  if (!IMPORT_KINDS.some((each) => each === kind)) {
    return <CodeBlock text={importCommand(kind, market)} what={`the command: ${lackName(code)}`} isWrapped />;
  }
  return (
    <p>
      <a class="button small" href={`/console/import?${new URLSearchParams({ market })}`}>
        Import {DATA[kind].name.toLowerCase()}
      </a>
    </p>
  );
}
