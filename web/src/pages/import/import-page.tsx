import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import {
  IMPORT_KINDS,
  inspectImport,
  readImport,
  uploadImport,
  type ImportFile,
  type ImportInspection,
  type ImportKind,
} from '../../api/imports.ts';
import { useRequest } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice, Progress } from '../../parts/basics.tsx';
import { SelectField } from '../../parts/field.tsx';
import { DropZone, TABLE_FILES, UploadState, useFile } from '../../parts/file-choice.tsx';
import { formatMany } from '../../parts/format.ts';
import { Page, Section } from '../../parts/page.tsx';
import { useUnsaved } from '../../parts/unsaved-changes.ts';
import { Findings, type Decisions } from './findings.tsx';
import { LeftOutRows } from './left-out-rows.tsx';
import { likelyKind } from './likely-kind.ts';
import { LoadFile, NEW_MARKET } from './load-file.tsx';
import { LoadProgress } from './load-progress.tsx';
import { ReadColumns } from './read-columns.tsx';
import { ReplaceValues } from './replace-values.tsx';
import './import.css';

const KIND_LABELS: Readonly<Record<ImportKind, string>> = {
  sales: 'Sales of homes',
  rents: 'Rental listings',
  parcels: 'Parcels (property records)',
  addresses: 'Addresses with coordinates',
  index: 'Published price index',
};

/** `/import` and `/import/{id}`: a file is uploaded, checked, loaded into a market, and the market is trained. */
export default function ImportPage() {
  const { id } = useRoute().params;
  return id ? <KnownFile key={id} id={id} /> : <NewFile />;
}

function ImportFrame({ children }: { readonly children: ComponentChildren }) {
  return (
    <Page
      title="Import"
      lead="Load a file of sales, rents, parcels, addresses or a price index into a market. Nothing is loaded before you press Load."
    >
      {children}
    </Page>
  );
}

function NewFile() {
  const { route, query } = useLocation();
  const market = query.market ? `?${new URLSearchParams({ market: query.market })}` : '';
  const files = useFile(uploadImport, ({ id }) => route(`/console/import/${id}${market}`));
  return (
    <ImportFrame>
      <Section title="File">
        <div class="stack">
          <DropZone
            label="Drop a file here, or choose one"
            accept={TABLE_FILES}
            hint="CSV with any delimiter and encoding, Excel (.xlsx), Parquet, or one of them in a ZIP or gzip file; up to 200 MB. For sales without coordinates, import parcels or addresses first."
            onChoose={files.choose}
          />
          <UploadState of={files} />
        </div>
      </Section>
    </ImportFrame>
  );
}

/** An uploaded file: its state decides whether it is being prepared or loaded. */
function KnownFile({ id }: { readonly id: string }) {
  const [isLoading, setLoading] = useState<boolean | null>(null);
  const state = useRequest((signal) => readImport(id, signal), [id]);
  const isSubmitted =
    state.data !== null && state.data.status !== 'uploaded' && state.data.status !== 'failed';
  if (state.problem) {
    return (
      <ImportFrame>
        <ProblemNotice problem={state.problem} />
        <p>
          <a href="/console/import">Import another file</a>
        </p>
      </ImportFrame>
    );
  }
  if (state.data === null) return <ImportFrame>{null}</ImportFrame>;
  return (
    <ImportFrame>
      {(isLoading ?? isSubmitted) && <LoadProgress id={id} onCorrect={() => setLoading(false)} />}
      {/* Stays, so that the choices are kept when an import fails. */}
      <div class="import-steps" hidden={isLoading ?? isSubmitted}>
        <PrepareFile
          isSent={isLoading ?? isSubmitted}
          file={state.data}
          firstKind={state.data.kind}
          onLoad={() => {
            setLoading(true);
            window.scrollTo(0, 0);
          }}
        />
      </div>
    </ImportFrame>
  );
}

const NOTHING_DECIDED: Decisions = { accept: [], leaveOut: [] };
/** The file is inspected when the user pauses choosing. */
const INSPECT_PAUSE_MS = 250;

function PrepareFile(props: {
  /** The choices are kept, in case it fails. */
  readonly isSent: boolean;
  readonly file: ImportFile;
  readonly firstKind: ImportKind | null;
  readonly onLoad: () => void;
}) {
  const { isSent, file, firstKind, onLoad } = props;
  const [kind, setKind] = useState<ImportKind>(firstKind ?? 'sales');
  const [isKindKnown, setKindKnown] = useState(firstKind !== null);
  const [mapping, setMapping] = useState<string | null>(null);
  const [features, setFeatures] = useState<readonly string[] | null>(null);
  const [decisions, setDecisions] = useState(NOTHING_DECIDED);
  // The market of the file before is suggested: a county's files are loaded one after another.
  const [market, setMarket] = useState(useLocation().query.market ?? NEW_MARKET);
  // The market places the rows without coordinates. Without such rows it changes nothing.
  const [isMarketUsed, setMarketUsed] = useState(false);
  const isChanged = mapping !== null || features !== null || decisions !== NOTHING_DECIDED;
  useUnsaved(isChanged && !isSent);
  const placedBy = isMarketUsed && market !== NEW_MARKET ? market : null;
  const reading = { kind, mapping, features, leave_out: decisions.leaveOut, market_id: placedBy };
  const inspected = useRequest(
    (signal) => inspectImport(file.id, reading, signal),
    [file.id, kind, mapping, features, decisions.leaveOut, placedBy],
    INSPECT_PAUSE_MS,
  );
  const { data: inspection, problem, isLoading } = inspected;
  // What was chosen since the last inspection is kept when more is chosen.
  const current =
    inspection?.kind === kind ? { ...inspection, mapping: mapping ?? inspection.mapping } : null;
  const hasUnplaced = (current?.unplaced_rows ?? 0) > 0;
  useEffect(() => setMarketUsed((isUsed) => isUsed || hasUnplaced), [hasUnplaced]);
  useEffect(() => {
    if (isKindKnown || inspection === null) return;
    setKindKnown(true);
    setKind(likelyKind(inspection.columns) ?? kind);
  }, [inspection, isKindKnown, kind]);
  useEffect(() => {
    setMapping(null);
    setFeatures(null);
    setDecisions(NOTHING_DECIDED);
  }, [kind]);
  return (
    <>
      <Section title="File">
        <div class="stack">
          <div class="card row spread">
            <div>
              <strong>{file.name}</strong>
              {current && (
                <div class="quiet small">
                  {current.format}
                  {current.problem === null && `, ${formatMany(current.row_count, 'row')}`}
                </div>
              )}
            </div>
            <a class="button small" href="/console/import">
              Choose another
            </a>
          </div>
          <div class="narrow">
            <SelectField
              label="What each row is"
              value={kind}
              choices={IMPORT_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
              onInput={(value) => {
                setKindKnown(true);
                setKind(IMPORT_KINDS.find((one) => one === value) ?? 'sales');
              }}
            />
          </div>
          {isLoading && <Progress label="Reading the file …" />}
          {problem && <ProblemNotice problem={problem} />}
          {problem && mapping !== null && (
            <div>
              <Button onClick={() => setMapping(null)}>Go back to the suggested columns</Button>
            </div>
          )}
        </div>
      </Section>
      {current && !problem && (
        <Inspected
          inspection={current}
          isInspecting={isLoading}
          features={features}
          decisions={decisions}
          market={market}
          onMarket={setMarket}
          onMapping={setMapping}
          onFeatures={setFeatures}
          onDecisions={setDecisions}
          onLoad={onLoad}
        />
      )}
    </>
  );
}

function Inspected(props: {
  readonly inspection: ImportInspection;
  readonly isInspecting: boolean;
  readonly features: readonly string[] | null;
  readonly decisions: Decisions;
  readonly market: string;
  readonly onMarket: (id: string) => void;
  readonly onMapping: (mapping: string) => void;
  readonly onFeatures: (features: readonly string[] | null) => void;
  readonly onDecisions: (decisions: Decisions) => void;
  readonly onLoad: () => void;
}) {
  const { inspection, isInspecting, features, decisions, onMapping, onFeatures, onDecisions, onLoad } = props;
  const { problem, findings, rejections } = inspection;
  return (
    <>
      <Section
        title="Columns"
        lead="Suggested from the names and values of the columns. Change what is wrong."
      >
        <ReadColumns
          inspection={inspection}
          features={features}
          onMapping={onMapping}
          onFeatures={onFeatures}
        />
      </Section>
      {problem !== null && (
        <Notice kind="warn" title="The file cannot be loaded yet.">
          <p>{problem}</p>
        </Notice>
      )}
      {findings.length > 0 && (
        <Section title="Checks" lead="What the rows show together.">
          <Findings
            findings={findings}
            mapping={inspection.mapping}
            decisions={decisions}
            onMapping={onMapping}
            onDecisions={onDecisions}
          />
        </Section>
      )}
      <ReplaceValues inspection={inspection} onMapping={onMapping} />
      {rejections.length > 0 && (
        <Section title="Rows left out" lead="These rows would not be loaded.">
          <LeftOutRows inspection={inspection} />
        </Section>
      )}
      {problem === null && (
        <Section title="Load">
          <LoadFile
            inspection={inspection}
            features={features}
            decisions={decisions}
            market={props.market}
            onMarket={props.onMarket}
            isInspecting={isInspecting}
            onLoad={onLoad}
          />
        </Section>
      )}
    </>
  );
}
