import { useMemo } from 'preact/hooks';
import type { FileMember, Mapping, Source, UploadedSheet } from '../../api/batches.ts';

type Columns = UploadedSheet['columns'];

const NOWHERE = 'none';
const SAME = 'same';
const ALWAYS_SHOWN = new Set([
  'property_id',
  'location.address',
  'property_fields.total_bedrooms',
  'property_fields.total_bathrooms',
  'search_params.date',
  'file.balance',
  'file.assessed_value',
]);
const UNUSED_LISTED = 12;

/** Without a date, rows are valued as of today: a user should see that before sending them. */
function withoutSource(path: string): string {
  return path === 'search_params.date' ? 'Today, in every row' : 'Not in the file';
}

/** The column of each field. Fields that files rarely have are folded. */
export function MapColumns(props: {
  readonly members: readonly FileMember[];
  readonly columns: Columns;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}) {
  const { members, columns, mapping, onChange } = props;
  // Decided when a file is read, so that a line does not move while it is edited.
  const shown = useMemo(
    () =>
      members.filter(
        ({ path, is_required: isRequired }) => isRequired || path in mapping || ALWAYS_SHOWN.has(path),
      ),
    // oxlint-disable-next-line react/exhaustive-deps
    [members, columns],
  );
  const used = Object.values(mapping).flatMap((source) => ('column' in source ? [source.column] : []));
  const unused = columns.filter((_, at) => !used.includes(at)).map(({ name }) => name);
  const set = (path: string, source: Source | null): void => {
    const { [path]: _, ...others } = mapping;
    onChange(source === null ? others : { ...others, [path]: source });
  };
  const lines = (some: readonly FileMember[]) => (
    <ul class="member-lines">
      {some.map((member) => (
        <MemberLine
          key={member.path}
          member={member}
          columns={columns}
          source={mapping[member.path] ?? null}
          onChange={(source) => set(member.path, source)}
        />
      ))}
    </ul>
  );
  return (
    <div class="stack">
      {lines(shown)}
      <details class="fold">
        <summary>More fields</summary>
        {lines(members.filter((member) => !shown.includes(member)))}
      </details>
      {unused.length > 0 && (
        <p class="quiet small">
          Not used, but included in the download: {unused.slice(0, UNUSED_LISTED).join(', ')}
          {unused.length > UNUSED_LISTED ? ` and ${unused.length - UNUSED_LISTED} more` : ''}.
        </p>
      )}
    </div>
  );
}

function MemberLine(props: {
  readonly member: FileMember;
  readonly columns: Columns;
  readonly source: Source | null;
  readonly onChange: (source: Source | null) => void;
}) {
  const { member, columns, source, onChange } = props;
  const { label, is_required: isRequired, path } = member;
  const chosen = source === null ? NOWHERE : 'column' in source ? String(source.column) : SAME;
  const samples = source !== null && 'column' in source ? columns[source.column].samples : null;
  return (
    <li class={isRequired && source === null ? 'missing' : undefined}>
      <span>
        {label}
        {isRequired && <span class="quiet small"> required</span>}
      </span>
      <select
        class="input"
        aria-label={`Column for ${label}`}
        data-member={path}
        value={chosen}
        onChange={({ currentTarget: { value } }) => {
          if (value === NOWHERE) onChange(null);
          else onChange(value === SAME ? { text: '' } : { column: Number(value) });
        }}
      >
        <option value={NOWHERE}>{withoutSource(path)}</option>
        <option value={SAME}>Same value in every row …</option>
        {columns.map(({ name }, at) => (
          <option key={name} value={String(at)}>
            {name}
          </option>
        ))}
      </select>
      {source !== null && 'text' in source && (
        <SameValue member={member} text={source.text} onInput={(text) => onChange({ text })} />
      )}
      {samples && (
        <span class="samples quiet small">{samples.length === 0 ? 'empty' : samples.join(' · ')}</span>
      )}
    </li>
  );
}

function SameValue(props: {
  readonly member: FileMember;
  readonly text: string;
  readonly onInput: (text: string) => void;
}) {
  const { member, text, onInput } = props;
  const { kind, choices: allowed, label } = member;
  const shared = { class: 'input', value: text, 'aria-label': `${label} in every row` };
  if (kind === 'choice' || kind === 'boolean') {
    const choices = kind === 'choice' ? allowed : ['yes', 'no'];
    return (
      <select {...shared} onChange={(event) => onInput(event.currentTarget.value)}>
        {['', ...choices].map((choice) => (
          <option key={choice} value={choice}>
            {choice === '' ? 'Choose' : choice.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
    );
  }
  const onText = (event: { readonly currentTarget: HTMLInputElement }): void =>
    onInput(event.currentTarget.value);
  if (kind === 'day') return <input {...shared} type="date" onInput={onText} />;
  return <input {...shared} type="text" onInput={onText} />;
}
