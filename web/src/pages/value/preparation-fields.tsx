import { useEffect, useRef, useState } from 'preact/hooks';
import { STATE_CODES } from '../../../../src/domain/us-states.ts';
import { readPreparer, setPreparer, type Preparation } from '../../api/reports.ts';
import type { Problem } from '../../api/problem.ts';
import { useRequest } from '../../api/use-request.ts';
import { ProblemNotice } from '../../parts/basics.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';

const STATES = [{ value: '', label: 'None' }, ...STATE_CODES.map((code) => ({ value: code, label: code }))];

/** Typing pauses this long before what was typed is kept. */
const PAUSE_MS = 600;

/** The preparer is the same in the next report; client and file number are not. */
export function usePreparation() {
  const kept = useRequest(readPreparer, []);
  const [changed, setChanged] = useState<Preparation>({});
  const preparation = { ...kept.data, ...changed };
  const { prepared_by: name, license_number: number, license_state: state } = preparation;
  // What was kept is read first, so that one typed text does not delete the others.
  const isChanged =
    kept.data !== null &&
    ('prepared_by' in changed || 'license_number' in changed || 'license_state' in changed);
  const unkept = useRef<Preparation | null>(null);
  useEffect(() => {
    if (isChanged) unkept.current = { prepared_by: name, license_number: number, license_state: state };
  }, [isChanged, name, number, state]);
  const keep = async (): Promise<void> => {
    const typed = unkept.current;
    unkept.current = null;
    if (typed !== null) await setPreparer(typed);
  };
  const keeping = useRequest(keep, [isChanged, name, number, state], PAUSE_MS);
  // What was typed just before the page is left.
  useEffect(() => () => void keep().catch(() => {}), []);
  const change = (one: Preparation): void => setChanged((before) => ({ ...before, ...one }));
  return { preparation, change, problem: kept.problem ?? keeping.problem };
}

/** Who prepared the report, and for whom. */
export function PreparationFields(props: {
  readonly preparation: Preparation;
  /** Why the name and the license could not be read or kept. */
  readonly problem: Problem | null;
  readonly onChange: (changed: Preparation) => void;
}) {
  const { preparation, problem, onChange } = props;
  const textOf = (name: Exclude<keyof Preparation, 'license_state'>, maxLength: number) => ({
    value: preparation[name] ?? '',
    maxLength,
    // A blank member is left out of the address of the report.
    onInput: (typed: string) => onChange({ [name]: typed === '' ? null : typed }),
  });
  return (
    <details class="fold">
      <summary>Prepared by and for{preparation.prepared_by && `: ${preparation.prepared_by}`}</summary>
      <p class="quiet small">
        Printed below the property facts. Your name and license are kept with your user for your next report,
        on every computer. Nobody else's reports get them.
      </p>
      {problem && <ProblemNotice problem={problem} />}
      <div class="pair">
        <TextField label="Prepared by" hint="Appraiser or other preparer" {...textOf('prepared_by', 100)} />
        <TextField label="License number" {...textOf('license_number', 50)} />
        <SelectField
          label="License state"
          value={preparation.license_state ?? ''}
          choices={STATES}
          onInput={(state) => onChange({ license_state: STATE_CODES.find((code) => code === state) ?? null })}
        />
        <TextField label="Prepared for" hint="The client" {...textOf('prepared_for', 100)} />
        <TextField label="File number" {...textOf('file_number', 50)} />
      </div>
    </details>
  );
}
