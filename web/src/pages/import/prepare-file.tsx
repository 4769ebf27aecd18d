import { IMPORT_KINDS, type ImportKind } from '../../api/imports.ts';
import { Button, Notice, ProblemNotice, Progress } from '../../parts/basics.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatMany } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { NOTHING_CHOSEN, type FileChoices } from './file-choices.ts';
import { FileDecisions } from './file-decisions.tsx';
import { Findings } from './findings.tsx';
import type { FileToLoad } from './import-files.ts';
import { LeftOutRows } from './left-out-rows.tsx';
import { ReadColumns } from './read-columns.tsx';
import { ReplaceValues } from './replace-values.tsx';

export const KIND_LABELS: Readonly<Record<ImportKind, string>> = {
  sales: 'Sales of homes',
  rents: 'Rental listings',
  parcels: 'Parcels (property records)',
  addresses: 'Addresses with coordinates',
  index: 'Published price index',
};

/** What a file is, how it is read, and what is decided about it. */
export function PrepareFile(props: {
  readonly file: FileToLoad;
  readonly market: string;
  /** Where the link beside the name of the file leads. */
  readonly back: { readonly label: string; readonly href: string };
  readonly onChange: (changed: Partial<FileChoices>) => void;
}) {
  const { file, market, back, onChange } = props;
  const { state, kind, choices, inspection, isInspecting, problem } = file;
  return (
    <>
      <Section title="File">
        <div class="stack">
          <div class="card row spread">
            <div>
              <strong class="breaks">{state.name}</strong>
              {inspection && (
                <div class="quiet small">
                  {inspection.format}
                  {inspection.problem === null && `, ${formatMany(inspection.row_count, 'row')}`}
                </div>
              )}
            </div>
            <a class="button small" href={back.href}>
              {back.label}
            </a>
          </div>
          <div class="narrow">
            <SelectField
              label="What each row is"
              value={kind ?? 'sales'}
              choices={IMPORT_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
              onInput={(value) =>
                onChange({ ...NOTHING_CHOSEN, kind: IMPORT_KINDS.find((one) => one === value) ?? 'sales' })
              }
            />
          </div>
          {isInspecting && <Progress label="Reading the file …" />}
          {problem && <ProblemNotice problem={problem} />}
          {problem && choices.mapping !== null && (
            <div>
              <Button onClick={() => onChange({ mapping: null })}>Go back to the suggested columns</Button>
            </div>
          )}
        </div>
      </Section>
      {inspection && !problem && (
        <Inspected file={file} inspection={inspection} market={market} onChange={onChange} />
      )}
    </>
  );
}

function Inspected(props: {
  readonly file: FileToLoad;
  readonly inspection: NonNullable<FileToLoad['inspection']>;
  readonly market: string;
  readonly onChange: (changed: Partial<FileChoices>) => void;
}) {
  const { file, inspection, market, onChange } = props;
  const { features, decisions } = file.choices;
  const { problem, findings, rejections } = inspection;
  const onMapping = (mapping: string): void => onChange({ mapping });
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
          onFeatures={(changed) => onChange({ features: changed })}
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
            onDecisions={(changed) => onChange({ decisions: changed })}
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
        <FileDecisions file={file} inspection={inspection} market={market} onChange={onChange} />
      )}
    </>
  );
}
