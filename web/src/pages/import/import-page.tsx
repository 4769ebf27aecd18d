import { marketName } from '../../../../src/domain/market-name.ts';
import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso/router';
import { useCallback, useState, type Dispatch, type StateUpdater } from 'preact/hooks';
import { readImports, type ImportKind, type ImportState } from '../../api/imports.ts';
import { usePolled, type Loaded } from '../../api/use-request.ts';
import { Notice, ProblemNotice } from '../../parts/basics.tsx';
import { formatMany } from '../../parts/format.ts';
import { Page, Section } from '../../parts/page.tsx';
import { NEW_MARKET, useImportChoices } from './file-choices.ts';
import { FileList } from './file-list.tsx';
import {
  describeFiles,
  InspectFile,
  isBeingLoaded,
  isPrepared,
  type FileToLoad,
  type Inspected,
} from './import-files.ts';
import { LoadFiles } from './load-files.tsx';
import { AfterLoading, LoadFailure, LoadProgress, LoadReport } from './load-progress.tsx';
import { PrepareFile } from './prepare-file.tsx';
import { UploadFiles } from './upload-files.tsx';
import './import.css';

const POLL_MS = 1000;

/**
 * `/import` and `/import/{id},{id}`: files are uploaded, checked and loaded into a market, one after the other, and the
 * market is trained. `?file={id}` opens one of several.
 */
export default function ImportPage() {
  const { id } = useRoute().params;
  return id ? <KnownFiles key={id} ids={id.split(',')} /> : <NewFiles />;
}

function ImportFrame(props: { readonly isLoaded?: boolean; readonly children: ComponentChildren }) {
  const { isLoaded = false, children } = props;
  return (
    <Page
      title="Import"
      lead={
        !isLoaded &&
        'Load files of sales, rents, parcels, addresses or a price index into a market. Nothing is loaded before you press Load.'
      }
    >
      {children}
    </Page>
  );
}

/** The suggested market stays in the address. */
function pathOf(ids: readonly string[], query: Query): string {
  const text = new URLSearchParams(query).toString();
  return `/console/import/${ids.join(',')}${text === '' ? '' : `?${text}`}`;
}

function NewFiles() {
  const { route, query } = useLocation();
  return (
    <ImportFrame>
      <Section title="Files">
        <UploadFiles onUploaded={(ids) => route(pathOf(ids, query))} />
        <p class="quiet small">
          Past imports and their results are listed on the page of each <a href="/console/markets">market</a>,
          under “History”.
        </p>
      </Section>
    </ImportFrame>
  );
}

/** Uploaded files: their states decide whether they are being prepared or loaded. */
function KnownFiles({ ids }: { readonly ids: readonly string[] }) {
  const states = usePolled(
    (signal) => readImports(ids, signal),
    (read) => (read === null || read.some(isBeingLoaded) ? POLL_MS : null),
    [ids.join(',')],
  );
  if (states.data !== null) return <ReadFiles ids={ids} read={states.data} states={states} />;
  return (
    <ImportFrame>
      {states.problem && (
        <>
          <ProblemNotice problem={states.problem} />
          <p>
            <a href="/console/import">Import other files</a>
          </p>
        </>
      )}
    </ImportFrame>
  );
}

interface ReadFilesProps {
  readonly ids: readonly string[];
  readonly read: readonly ImportState[];
  readonly states: Pick<Loaded<unknown>, 'problem' | 'reload'>;
}

function ReadFiles({ ids, read, states }: ReadFilesProps) {
  const { query } = useLocation();
  const { choices, change, changeFile } = useImportChoices(ids, query.market ?? NEW_MARKET);
  const [inspected, setInspected] = useState<Readonly<Record<string, Inspected>>>({});
  const files = describeFiles(read, choices.files, inspected);
  const isLoading = files.some(({ state }) => isBeingLoaded(state));
  const prepared = isLoading ? [] : files.filter(({ state }) => isPrepared(state));
  const marketOf = files.find(({ state }) => !isPrepared(state))?.state.market_id ?? null;
  const market = marketOf ?? choices.market;
  const opened = ids.length === 1 ? files.at(0) : files.find(({ id }) => id === query.file);
  const isList = opened === undefined || ids.length === 1;
  const missing = ids.length - files.length;
  return (
    <ImportFrame isLoaded={prepared.length === 0}>
      <Inspections {...{ prepared, inspected, setInspected, market, changeFile }} />
      {states.problem && <ProblemNotice problem={states.problem} onRetry={states.reload} />}
      {missing > 0 && (
        <Notice kind="warn">
          <p>{formatMany(missing, 'file')} of this list are not stored any more. Upload them again.</p>
        </Notice>
      )}
      {opened ? (
        <OpenFile
          file={opened}
          market={market}
          back={
            ids.length === 1
              ? { label: 'Choose another', href: '/console/import' }
              : { label: 'All files', href: pathOf(ids, withoutFile(query)) }
          }
          onChange={(changed) => changeFile(opened.id, changed)}
        />
      ) : (
        <ListedFiles
          ids={ids}
          files={files}
          market={marketOf}
          onRetry={(id) => setInspected(({ [id]: _failed, ...others }) => others)}
        />
      )}
      {isList && prepared.length > 0 && (
        <>
          <LoadFiles
            files={prepared}
            choices={choices}
            fixedMarket={marketOf}
            onChange={(changed) => change(() => changed)}
            onQueued={() => {
              setInspected({});
              states.reload();
              window.scrollTo(0, 0);
            }}
          />
          <MoreFiles ids={ids} />
        </>
      )}
      {isList && !isLoading && prepared.length === 0 && <AfterLoading states={read} />}
    </ImportFrame>
  );
}

/** Inspects one file after the other, because the server reads one file of an account at a time. Shows nothing. */
function Inspections(props: {
  readonly prepared: readonly FileToLoad[];
  readonly inspected: Readonly<Record<string, Inspected>>;
  readonly setInspected: Dispatch<StateUpdater<Readonly<Record<string, Inspected>>>>;
  readonly market: string;
  readonly changeFile: ReturnType<typeof useImportChoices>['changeFile'];
}) {
  const { prepared, inspected, setInspected, market, changeFile } = props;
  const onInspected = useCallback(
    (id: string, found: Inspected) => setInspected((before) => ({ ...before, [id]: found })),
    [setInspected],
  );
  const onKind = useCallback((id: string, kind: ImportKind) => changeFile(id, { kind }), [changeFile]);
  const next = prepared.some(({ isInspecting }) => isInspecting)
    ? undefined
    : prepared.find(({ id }) => !(id in inspected));
  return (
    <>
      {prepared.map(
        (file) =>
          (file.id in inspected || file === next) && (
            <InspectFile
              key={file.id}
              file={file}
              market={market}
              onInspected={onInspected}
              onKind={onKind}
            />
          ),
      )}
    </>
  );
}

type Query = Readonly<Record<string, string>>;

function withoutFile(query: Query): Query {
  const { file: _, ...kept } = query;
  return kept;
}

type ListedProps = Pick<Parameters<typeof FileList>[0], 'files' | 'market' | 'onRetry'>;

/** Files open, and are removed, by the address of the page. */
function ListedFiles({ ids, ...list }: ListedProps & { readonly ids: readonly string[] }) {
  const { route, query } = useLocation();
  const kept = withoutFile(query);
  const without = (removed: string) => ids.filter((id) => id !== removed);
  return (
    <FileList
      {...list}
      pathOf={({ id }) => pathOf(ids, { ...kept, file: id })}
      onRemoved={(id) => route(pathOf(without(id), kept), true)}
    />
  );
}

function MoreFiles({ ids }: { readonly ids: readonly string[] }) {
  const { route, query } = useLocation();
  return (
    <details class="fold">
      <summary>Add files for this market</summary>
      <UploadFiles onUploaded={(added) => route(pathOf([...ids, ...added], withoutFile(query)), true)} />
    </details>
  );
}

function OpenFile(props: Parameters<typeof PrepareFile>[0]) {
  const { file, back } = props;
  const { state } = file;
  if (isPrepared(state)) {
    return (
      <>
        {state.status === 'failed' && <LoadFailure state={state} />}
        <PrepareFile {...props} />
        {back.label === 'All files' && (
          <div>
            <a class="button primary" href={back.href}>
              Back to all files
            </a>
          </div>
        )}
      </>
    );
  }
  const link = <a href={back.href}>{back.label}</a>;
  if (state.status === 'complete') {
    return (
      <>
        <LoadReport state={state} />
        {back.label === 'All files' && <p>{link}</p>}
      </>
    );
  }
  return (
    <Section
      title={`Loading ${state.name} into ${marketName(state.market_id ?? '')}`}
      lead="You may leave this page. The import goes on."
    >
      <LoadProgress state={state} />
      {back.label === 'All files' && <p>{link}</p>}
    </Section>
  );
}
