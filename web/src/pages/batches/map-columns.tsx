import { useMemo } from 'preact/hooks';
import type { FileMember, Mapping, Source, UploadedSheet } from '../../api/batches.ts';

type Columns = UploadedSheet['columns'];

const NOWHERE = 'none';
const SAME = 'same';

/** The column of each field. Fields that files rarely have are folded away. */
export function MapColumns(props: {
  readonly members: readonly FileMember[];
  readonly columns: Columns;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}) {
  const { members, columns, mapping, onChange } = props;
  // Decided when a file is read, so that a line does not move while it is edited.
  const shown = useMemo(
    () => new Set(members.filter((member) => isLikely(member, mapping)).map(({ path }) => path)),
    // oxlint-disable-next-line react/exhaustive-deps
    [members, columns],
  );
  const used = new Set(
    Object.values(mapping).flatMap((source) => ('column' in source ? [source.column] : [])),
  );
  const unused = columns.filter((_, at) => !used.has(at)).map(({ name }) => name);
  const lines = (some: readonly FileMember[]) => (
    <MemberLines members={some} columns={columns} mapping={mapping} onChange={onChange} />
  );
  return (
    <div class="stack">
      {lines(members.filter(({ path }) => shown.has(path)))}
      <details class="fold">
        <summary>More fields</summary>
        {lines(members.filter(({ path }) => !shown.has(path)))}
      </details>
      {unused.length > 0 && (
        <p class="quiet small">
          Not used, but included in the download: {unused.slice(0, 12).join(', ')}
          {unused.length > 12 ? ` and ${unused.length - 12} more` : ''}.
        </p>
      )}
    </div>
  );
}

const ALWAYS = new Set(['property_id', 'location.address', 'search_params.date']);

function isLikely({ path, is_required: isRequired }: FileMember, mapping: Mapping): boolean {
  return isRequired || path in mapping || ALWAYS.has(path);
}

function MemberLines(props: {
  readonly members: readonly FileMember[];
  readonly columns: Columns;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}) {
  const { members, columns, mapping, onChange } = props;
  const set = (path: string, source: Source | null): void => {
    const { [path]: _, ...others } = mapping;
    onChange(source === null ? others : { ...others, [path]: source });
  };
  return (
    <ul class="member-lines">
      {members.map((member) => (
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
  return (
    <li class={isRequired && source === null ? 'missing' : undefined}>
      <span class="member-name">
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
        <option value={NOWHERE}>Not in the file</option>
        <option value={SAME}>Same value in every row …</option>
        {columns.map(({ name }, at) => (
          <option key={name} value={String(at)}>
            {name}
          </option>
        ))}
      </select>
      {source !== null && 'text' in source ? (
        <SameValue member={member} text={source.text} onInput={(text) => onChange({ text })} />
      ) : (
        <span class="samples quiet small">{source === null ? '' : samplesOf(columns, source.column)}</span>
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

function samplesOf(columns: Columns, column: number): string {
  const samples = columns[column]?.samples ?? [];
  return samples.length === 0 ? 'empty' : samples.join(' · ');
}
