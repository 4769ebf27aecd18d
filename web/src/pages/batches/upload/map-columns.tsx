import { useMemo } from 'preact/hooks';
import type { Table } from '../csv/read-table.ts';
import type { Mapping, Source } from '../request/guess-columns.ts';
import type { Member } from '../request/members.ts';

/** Rows of a column that are shown as samples. */
const SAMPLES = 3;

const NOWHERE = 'none';
const SAME = 'same';

/** Which column is what. Every member has a line; those that a file rarely tells are folded away. */
export function MapColumns(props: {
  readonly members: readonly Member[];
  readonly table: Table;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}) {
  const { members, table, mapping, onChange } = props;
  // Decided when a file is read: a line must not jump away from whoever changes it.
  const shown = useMemo(
    () => new Set(members.filter((member) => isLikely(member, mapping)).map(({ path }) => path)),
    // oxlint-disable-next-line react/exhaustive-deps
    [members, table],
  );
  const used = new Set(
    Object.values(mapping).flatMap((source) => ('column' in source ? [source.column] : [])),
  );
  const unused = table.columns.filter((_, at) => !used.has(at));
  const lines = (some: readonly Member[]) => (
    <MemberLines members={some} table={table} mapping={mapping} onChange={onChange} />
  );
  return (
    <div class="stack">
      {lines(members.filter(({ path }) => shown.has(path)))}
      <details class="more-members">
        <summary>Further members that a column can be</summary>
        {lines(members.filter(({ path }) => !shown.has(path)))}
      </details>
      {unused.length > 0 && (
        <p class="quiet small">
          Not sent, but in the downloaded file again: {unused.slice(0, 12).join(', ')}
          {unused.length > 12 ? ` and ${unused.length - 12} more` : ''}.
        </p>
      )}
    </div>
  );
}

const ALWAYS = new Set(['property_id', 'location.address', 'search_params.date']);

function isLikely({ path, isRequired }: Member, mapping: Mapping): boolean {
  return isRequired === true || path in mapping || ALWAYS.has(path);
}

function MemberLines(props: {
  readonly members: readonly Member[];
  readonly table: Table;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}) {
  const { members, table, mapping, onChange } = props;
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
          table={table}
          source={mapping[member.path] ?? null}
          onChange={(source) => set(member.path, source)}
        />
      ))}
    </ul>
  );
}

function MemberLine(props: {
  readonly member: Member;
  readonly table: Table;
  readonly source: Source | null;
  readonly onChange: (source: Source | null) => void;
}) {
  const { member, table, source, onChange } = props;
  const { label, isRequired, path } = member;
  const chosen = source === null ? NOWHERE : 'column' in source ? String(source.column) : SAME;
  return (
    <li class={isRequired && source === null ? 'missing' : undefined}>
      <span class="member-name">
        {label}
        {isRequired && <span class="quiet small"> required</span>}
      </span>
      <select
        class="input"
        aria-label={`Column of ${label}`}
        data-member={path}
        value={chosen}
        onChange={({ currentTarget: { value } }) => {
          if (value === NOWHERE) onChange(null);
          else onChange(value === SAME ? { text: '' } : { column: Number(value) });
        }}
      >
        <option value={NOWHERE}>not in the file</option>
        <option value={SAME}>the same in every row …</option>
        {table.columns.map((column, at) => (
          <option key={column} value={String(at)}>
            {column}
          </option>
        ))}
      </select>
      {source !== null && 'text' in source ? (
        <SameValue member={member} text={source.text} onInput={(text) => onChange({ text })} />
      ) : (
        <span class="samples quiet small">{source === null ? '' : samplesOf(table, source.column)}</span>
      )}
    </li>
  );
}

function SameValue(props: {
  readonly member: Member;
  readonly text: string;
  readonly onInput: (text: string) => void;
}) {
  const { member, text, onInput } = props;
  const { type, label } = member;
  const shared = { class: 'input', value: text, 'aria-label': `${label} of every row` };
  if (type.kind === 'choice' || type.kind === 'boolean') {
    const choices = type.kind === 'choice' ? type.choices : ['yes', 'no'];
    return (
      <select {...shared} onChange={(event) => onInput(event.currentTarget.value)}>
        {['', ...choices].map((choice) => (
          <option key={choice} value={choice}>
            {choice === '' ? 'choose' : choice.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
    );
  }
  const onText = (event: { readonly currentTarget: HTMLInputElement }): void =>
    onInput(event.currentTarget.value);
  if (type.kind === 'day') return <input {...shared} type="date" onInput={onText} />;
  return <input {...shared} type="text" onInput={onText} />;
}

function samplesOf({ rows }: Table, column: number): string {
  const samples: string[] = [];
  for (const { cells } of rows.slice(0, 50)) {
    const text = cells[column]?.trim();
    if (text && !samples.includes(text)) samples.push(text.length > 40 ? `${text.slice(0, 40)}…` : text);
    if (samples.length === SAMPLES) break;
  }
  return samples.length === 0 ? 'empty' : samples.join(' · ');
}
