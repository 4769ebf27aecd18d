import { useState } from 'preact/hooks';
import { STATE_CODES } from '../../../../src/domain/us-states.ts';
import type { Preparation } from '../../api/reports.ts';
import { SelectField, TextField } from '../../parts/field.tsx';

const STORAGE_KEY = 'plumbline.preparer';
const STATES = [{ value: '', label: 'None' }, ...STATE_CODES.map((code) => ({ value: code, label: code }))];

/** The preparer is the same in the next report; client and file number are not. Storage may be denied or damaged. */
function rememberedPreparer(): Preparation {
  try {
    const stored: Preparation = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    return stored;
  } catch {
    return {};
  }
}

function remember({ prepared_by, license_number, license_state }: Preparation): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ prepared_by, license_number, license_state }));
  } catch {
    // The preparer is then entered again after the page is closed.
  }
}

export function usePreparation() {
  const [preparation, setPreparation] = useState(rememberedPreparer);
  const change = (changed: Preparation): void => {
    const next = { ...preparation, ...changed };
    setPreparation(next);
    remember(next);
  };
  return [preparation, change] as const;
}

/** Who prepared the report, and for whom. */
export function PreparationFields(props: {
  readonly preparation: Preparation;
  readonly onChange: (changed: Preparation) => void;
}) {
  const { preparation, onChange } = props;
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
        Printed below the property facts. This browser keeps your name and license for the next report.
      </p>
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
