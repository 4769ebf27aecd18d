import type { ImportInspection } from '../../api/imports.ts';
import type { Choice } from '../../parts/field.tsx';
import { formatMany } from '../../parts/format.ts';
import { Section } from '../../parts/page.tsx';
import { HOME_FIELDS, labelOf } from '../value/fields.ts';
import { parseMapping, replacedValues, withReplacement } from './mapping.ts';

const LEFT_OUT = '';
const YES_NO: readonly Choice[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

/** A value of the type of land, shops and parking. */
const NO_HOME: Choice = { value: 'not a home', label: 'Not a home' };

/** What a value of a column of codes can mean; null for other columns. */
function meaningsOf(column: string): readonly Choice[] | null {
  const control = HOME_FIELDS.find(({ name }) => name === column)?.control;
  if (control?.kind === 'choice') {
    return column === 'property_type' ? [...control.choices, NO_HOME] : control.choices;
  }
  return control?.kind === 'yes-no' || column === 'arms_length' ? YES_NO : null;
}

/** Codes of the publisher, such as types of properties: the user says what each means. */
export function ReplaceValues(props: {
  readonly inspection: ImportInspection;
  readonly onMapping: (mapping: string) => void;
}) {
  const { inspection, onMapping } = props;
  const mapping = parseMapping(inspection.mapping);
  const unknown = inspection.rejections.flatMap(({ column, values }) =>
    values.map(({ value, count }) => ({
      column: column ?? '',
      value,
      note: formatMany(count, 'row'),
      to: LEFT_OUT,
    })),
  );
  const known = replacedValues(mapping).map((replaced) => ({ ...replaced, note: 'replaced' }));
  const rows = [...known, ...unknown].flatMap((row) => {
    const meanings = meaningsOf(row.column);
    return meanings === null ? [] : [{ ...row, meanings }];
  });
  if (rows.length === 0) return null;
  return (
    <Section
      title="Values"
      lead={
        unknown.length === 0
          ? 'What each value of the file is read as. Change what is wrong.'
          : 'Some values are not known. Choose what each means, or leave its rows out.'
      }
    >
      <ul class="member-lines import-columns">
        {rows.map(({ column, value, note, to, meanings }) => (
          <li key={`${column} ${value}`}>
            <span class="breaks">
              <strong>{value}</strong>
              <span class="quiet small second-line">{labelOf(column)}</span>
            </span>
            <select
              class="input"
              aria-label={`What “${value}” means`}
              value={to}
              onChange={({ currentTarget }) =>
                onMapping(
                  JSON.stringify(
                    withReplacement(mapping, { column, value, to: currentTarget.value || null }),
                  ),
                )
              }
            >
              <option value={LEFT_OUT}>Leave these rows out</option>
              {meanings.map((meaning) => (
                <option key={meaning.value} value={meaning.value}>
                  {meaning.label}
                </option>
              ))}
            </select>
            <span class="quiet small">{note}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
