import { useEffect, useState } from 'preact/hooks';
import type { ValuationKind } from '../../../../../src/domain/valuation-kind.ts';
import {
  checkUpload,
  KINDS,
  type CheckedUpload,
  type Mapping,
  type UploadedSheet,
} from '../../../api/uploads.ts';
import type { Problem } from '../../../api/problem.ts';
import { asProblem } from '../../../api/request.ts';
import { SelectField } from '../../../parts/field.tsx';
import { ProblemNotice } from '../../../parts/notice.tsx';
import { Page, Section } from '../../../parts/page.tsx';
import { Progress } from '../../../parts/progress.tsx';
import { RowPreview, RowProblems } from './check-result.tsx';
import { ChooseFile } from './choose-file.tsx';
import { MapColumns } from './map-columns.tsx';
import { SubmitRows } from './submit-rows.tsx';
import { useFile } from './use-file.ts';

const KIND_LABELS: Readonly<Record<ValuationKind, string>> = {
  property: 'Home values',
  rental: 'Rents',
  multifamily: 'Multifamily values',
};

/** From a file to jobs: choose columns, see problems and the cost, then submit. */
export function UploadPage() {
  const [kind, setKind] = useState<ValuationKind>('property');
  const [mapping, setMapping] = useState<Mapping>({});
  const files = useFile((sheet) => setMapping(suggestedMapping(sheet, kind)));
  const { sheet } = files;
  const changeKind = (value: string): void => {
    const chosen = KINDS.find((one) => one === value) ?? 'property';
    setKind(chosen);
    if (sheet !== null) setMapping(suggestedMapping(sheet, chosen));
  };
  return (
    <Page title="Value a file" lead="One row per property. Nothing is valued before you see the cost.">
      <Section title="File">
        <div class="stack">
          <div class="upload-kind">
            <SelectField
              label="What to estimate"
              value={kind}
              choices={KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
              onInput={changeKind}
            />
          </div>
          <ChooseFile files={files} />
        </div>
      </Section>
      {sheet !== null && (
        <ChosenRows key={sheet.id} sheet={sheet} kind={kind} mapping={mapping} onMapping={setMapping} />
      )}
    </Page>
  );
}

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
  const { checked, isChecking, problem } = useChecked(sheet.id, kind, mapping);
  const [leavesOut, setLeaveOut] = useState(false);
  const isReady =
    checked !== null && !isChecking && checked.good_rows > 0 && (checked.bad_rows === 0 || leavesOut);
  return (
    <>
      <Section
        title="Columns"
        lead="Suggested from the column names. Required fields need a value in every row; other missing values come from public records or nearby homes."
      >
        <MapColumns
          members={kindOf(sheet, kind)?.members ?? []}
          columns={sheet.columns}
          mapping={mapping}
          onChange={onMapping}
        />
      </Section>
      <Section title="Check" lead="The first rows, as they will be sent.">
        <div class="stack">
          {checked !== null && <RowPreview preview={checked.preview} />}
          {problem !== null && <ProblemNotice problem={problem} />}
          {isChecking && <Progress label="Checking the rows …" />}
          {checked !== null && !isChecking && (
            <RowProblems checked={checked} leavesOut={leavesOut} onLeaveOut={setLeaveOut} />
          )}
        </div>
      </Section>
      {isReady && (
        <Section title="Cost">
          <SubmitRows sheet={sheet} kind={kind} mapping={mapping} checked={checked} />
        </Section>
      )}
    </>
  );
}

interface Checked {
  /** Of the latest mapping that was checked. */
  readonly checked: CheckedUpload | null;
  readonly isChecking: boolean;
  readonly problem: Problem | null;
}

/** While somebody types or chooses, nothing is checked yet. */
const SETTLED_MS = 250;

function useChecked(id: string, kind: ValuationKind, mapping: Mapping): Checked {
  const [state, setState] = useState<Checked>({ checked: null, isChecking: true, problem: null });
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    setState(({ checked }) => ({ checked, isChecking: true, problem: null }));
    const timer = setTimeout(() => {
      checkUpload(id, kind, mapping, signal).then(
        (checked) => !signal.aborted && setState({ checked, isChecking: false, problem: null }),
        (error: unknown) => {
          if (!signal.aborted) setState({ checked: null, isChecking: false, problem: asProblem(error) });
        },
      );
    }, SETTLED_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [id, kind, mapping]);
  return state;
}
