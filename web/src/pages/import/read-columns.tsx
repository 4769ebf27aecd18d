import type { ImportInspection } from '../../api/imports.ts';
import { labelOf } from '../value/fields.ts';
import { FEATURE, noteOf, NOT_USED, parseMapping, targetOf, withTarget } from './mapping.ts';

/** Columns of price indexes that their names alone do not explain. */
const INDEX_COLUMNS: Readonly<Record<string, string>> = {
  place_id: 'Code of the place',
  hpi_type: 'FHFA type',
  hpi_flavor: 'FHFA flavor',
  index_sa: 'Index, seasonally adjusted',
  index_nsa: 'Index, not seasonally adjusted',
};

/** Each column of the file, with samples and what it is read as. */
export function ReadColumns(props: {
  readonly inspection: ImportInspection;
  readonly features: readonly string[];
  readonly onMapping: (mapping: string) => void;
  readonly onFeatures: (features: readonly string[]) => void;
}) {
  const { inspection, features, onMapping, onFeatures } = props;
  const { columns, known_columns: known, kind } = inspection;
  const hasFeatures = kind !== 'addresses' && kind !== 'index';
  const mapping = parseMapping(inspection.mapping);
  const change = (name: string, target: string): void => {
    onMapping(JSON.stringify(withTarget(mapping, name, target)));
    const others = features.filter((feature) => feature !== name);
    onFeatures(target === FEATURE ? [...others, name] : others);
  };
  return (
    <ul class="member-lines import-columns">
      {columns.map(({ name, samples, form }) => {
        const target = features.includes(name) ? FEATURE : targetOf(mapping, name);
        const note = [noteOf(mapping, target), form].filter(Boolean).join(', ');
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
                  {INDEX_COLUMNS[column] ?? labelOf(column)}
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
}
