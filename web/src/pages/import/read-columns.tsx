import type { ImportInspection } from '../../api/imports.ts';
import { Checkbox } from '../../parts/field.tsx';
import { labelOf } from '../value/fields.ts';
import {
  FEATURE,
  noteOf,
  NOT_USED,
  otherTargetsOf,
  parseMapping,
  targetOf,
  withFeature,
  withTarget,
} from './mapping.ts';

/** Columns that their names alone do not explain. */
const COLUMN_LABELS: Readonly<Record<string, string>> = {
  record_id: 'Record ID',
  parcel_id: 'Parcel ID',
  state_code: 'State',
  postal_code: 'ZIP code',
  arms_length: 'Arm’s-length sale',
  multi_parcel: 'Multi-parcel sale',
  land_sale: 'Sale of land only',
  recorded_date: 'Recording date',
  listed_date: 'Listing date',
  as_of_date: 'As-of date of the record',
  place_id: 'Code of the place',
  hpi_type: 'FHFA type',
  hpi_flavor: 'FHFA flavor',
  index_sa: 'Index, seasonally adjusted',
  index_nsa: 'Index, not seasonally adjusted',
};

/** Each column of the file, with samples and what it is read as. */
export function ReadColumns(props: {
  readonly inspection: ImportInspection;
  /** Null = all columns that may be features. */
  readonly features: readonly string[] | null;
  readonly onMapping: (mapping: string) => void;
  readonly onFeatures: (features: readonly string[] | null) => void;
}) {
  const { inspection, features, onMapping, onFeatures } = props;
  const { columns, known_columns: known, kind } = inspection;
  const hasFeatures = kind !== 'addresses' && kind !== 'index';
  const mapping = parseMapping(inspection.mapping);
  const candidates = columns.filter((column) => column.is_candidate).map(({ name }) => name);
  const kept = features ?? candidates;
  const change = (name: string, target: string): void => {
    onMapping(JSON.stringify(withTarget(mapping, name, target)));
    onFeatures(withFeature(features, candidates, name, target));
  };
  const lines = (
    <ul class="member-lines import-columns">
      {columns.map(({ name, samples, form, no_feature_reason: reason }) => {
        const isKept = kept.includes(name);
        const read = targetOf(mapping, name);
        // An area that is read as yes or no is also kept as a feature.
        const target = isKept && read === NOT_USED ? FEATURE : read;
        const others = otherTargetsOf(mapping, name).map((column) => labelOf(column).toLowerCase());
        const note = [
          noteOf(mapping, target),
          others.length > 0 && `also read as ${others.join(', ')}`,
          form,
          isKept && target !== FEATURE && 'also kept as a feature',
          target === NOT_USED && reason !== null && `cannot be a feature: ${reason}`,
        ]
          .filter(Boolean)
          .join(', ');
        return (
          <li key={name}>
            <span class="breaks">
              <strong>{name}</strong>
              <span class="samples quiet small second-line">{samples.join(' · ') || 'empty'}</span>
            </span>
            <select
              class="input"
              aria-label={`What “${name}” is`}
              value={target}
              onChange={(event) => change(name, event.currentTarget.value)}
            >
              <option value={NOT_USED}>Not used</option>
              {known.map((column) => (
                <option key={column} value={column}>
                  {COLUMN_LABELS[column] ?? labelOf(column)}
                </option>
              ))}
              {hasFeatures && <option value={FEATURE}>Another feature of homes here</option>}
            </select>
            <span class="quiet small">{note}</span>
          </li>
        );
      })}
    </ul>
  );
  if (candidates.length === 0) return lines;
  return (
    <div class="stack">
      <Checkbox
        label="Keep all columns that may be features of homes"
        hint={`Training uses those that improve values: ${candidates.join(', ')}.`}
        isChecked={candidates.every((name) => kept.includes(name))}
        onChange={(isChecked) => onFeatures(isChecked ? null : [])}
      />
      {lines}
    </div>
  );
}
