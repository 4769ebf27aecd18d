import { useState } from 'preact/hooks';
import type { ValuationKind } from '../../../../src/domain/valuation-kind.ts';
import {
  checkUpload,
  KINDS,
  uploadFile,
  type Corrections,
  type Mapping,
  type UploadedSheet,
} from '../../api/batches.ts';
import { useRequest } from '../../api/use-request.ts';
import { ProblemNotice, Progress } from '../../parts/basics.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { useHasCreditLimit } from '../../shell/session-context.tsx';
import { RowPreview, RowProblems, SubmitRows } from './check-rows.tsx';
import { useFile } from '../../parts/file-choice.tsx';
import { useUnsaved } from '../../parts/unsaved-changes.ts';
import { ChooseFile } from './choose-file.tsx';
import { KIND_WORDS } from './job-words.tsx';
import { MapColumns } from './map-columns.tsx';

/** From a file to jobs: choose columns, see problems and the cost, then submit. */
export function UploadPage() {
  const isCharged = useHasCreditLimit();
  const [kind, setKind] = useState<ValuationKind>('property');
  const [mapping, setMapping] = useState<Mapping>({});
  const suggest = (sheet: UploadedSheet, of: ValuationKind): void => {
    setMapping(suggestedMapping(sheet, of));
    setIsMapped(false);
  };
  const files = useFile(uploadFile, (sheet) => suggest(sheet, kind));
  const { file: sheet } = files;
  const [isMapped, setIsMapped] = useState(false);
  // The file itself is kept on the server.
  useUnsaved(isMapped);
  const changeKind = (value: string): void => {
    const chosen = KINDS.find((one) => one === value) ?? 'property';
    setKind(chosen);
    if (sheet !== null) suggest(sheet, chosen);
  };
  return (
    <Page
      title="Value a file"
      lead={`One row per property. Nothing is valued before you ${isCharged ? 'see the cost' : 'send the rows'}.`}
    >
      <Section title="File">
        <div class="stack">
          <div class="narrow">
            <SelectField
              label="What to estimate"
              value={kind}
              choices={KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
              onInput={changeKind}
            />
          </div>
          <ChooseFile files={files} />
        </div>
      </Section>
      {sheet !== null && (
        <ChosenRows
          key={sheet.id}
          sheet={sheet}
          kind={kind}
          mapping={mapping}
          onMapping={(changed) => {
            setMapping(changed);
            setIsMapped(true);
          }}
        />
      )}
    </Page>
  );
}

/** The rows are checked when the user pauses typing or choosing. */
const CHECK_PAUSE_MS = 250;

function kindOf({ kinds }: UploadedSheet, kind: ValuationKind) {
  return kinds.find(({ avm_type }) => avm_type === kind);
}

function suggestedMapping(sheet: UploadedSheet, kind: ValuationKind): Mapping {
  const suggested = kindOf(sheet, kind)?.suggested ?? [];
  return Object.fromEntries(suggested.map(({ path, column }) => [path, { column }]));
}

function ChosenRows(props: {
  readonly sheet: UploadedSheet;
  readonly kind: ValuationKind;
  readonly mapping: Mapping;
  readonly onMapping: (mapping: Mapping) => void;
}) {
  const { sheet, kind, mapping, onMapping } = props;
  const [corrections, setCorrections] = useState<Corrections>({});
  const {
    data: checked,
    isLoading: isChecking,
    problem,
    reload,
  } = useRequest(
    (signal) => checkUpload(sheet.id, kind, mapping, corrections, signal),
    [sheet.id, kind, mapping, corrections],
    CHECK_PAUSE_MS,
  );
  const [leavesOut, setLeaveOut] = useState(false);
  const [leavesOutRepeats, setLeaveOutRepeats] = useState(false);
  const isCharged = useHasCreditLimit();
  const isUndecided = checked !== null && checked.bad_rows > 0 && !leavesOut;
  const isReady = checked !== null && !isChecking && checked.good_rows > 0 && !isUndecided;
  const members = kindOf(sheet, kind)?.members ?? [];
  const missing = members.some(({ is_required: isRequired }) => isRequired)
    ? 'Required fields need a value in every row; other missing values'
    : 'Missing values';
  return (
    <>
      <Section
        title="Columns"
        lead={`Suggested from the column names. ${missing} come from public records or nearby homes.`}
      >
        <MapColumns members={members} columns={sheet.columns} mapping={mapping} onChange={onMapping} />
      </Section>
      <Section title="Check" lead="The first rows, as they will be sent.">
        <div class="stack">
          {checked !== null && <RowPreview preview={checked.preview} />}
          {problem !== null && <ProblemNotice problem={problem} onRetry={reload} />}
          {isChecking && <Progress label="Checking the rows …" />}
          {checked !== null && !isChecking && (
            <RowProblems
              checked={checked}
              leavesOut={leavesOut}
              onLeaveOut={setLeaveOut}
              leavesOutRepeats={leavesOutRepeats}
              onLeaveOutRepeats={setLeaveOutRepeats}
              corrections={corrections}
              onCorrect={setCorrections}
            />
          )}
        </div>
      </Section>
      {/* Always there, so that the page does not move when it is decided which rows are sent. */}
      <Section title={isCharged ? 'Cost' : 'Send'}>
        {checked === null ? (
          <p class="quiet">{isCharged ? 'Known after' : 'After'} the check.</p>
        ) : checked.good_rows === 0 ? (
          <p class="quiet">No row can be sent yet.</p>
        ) : (
          <SubmitRows
            sheet={sheet}
            kind={kind}
            mapping={mapping}
            corrections={corrections}
            checked={checked}
            isReady={isReady}
            isUndecided={isUndecided}
            leavesOutRepeats={leavesOutRepeats}
          />
        )}
      </Section>
    </>
  );
}
