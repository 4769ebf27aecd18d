import { isPlainObject } from './object-schema.ts';
import { ERRORS_SHOWN, type FieldError } from './validation-error.ts';

type Path = (string | number)[];
type TextError = Pick<FieldError, 'type' | 'msg'>;

export interface BadText {
  readonly path: Readonly<Path>;
  readonly error: TextError;
}

/** NUL and the other C0 controls. PostgreSQL does not store NUL, and they break logs and headers. */
// oxlint-disable-next-line no-control-regex
const C0_CONTROL = /[\u0000-\u001f]/;

/**
 * Finds every text and member name that no response may contain: control characters and unpaired surrogates.
 * The value has passed the depth limit, so recursion is safe. A megabyte of small values takes about 10 ms,
 * because a path is copied only for a finding.
 */
export function findBadText(value: unknown, skipped: string | null = null): BadText[] {
  const found: BadText[] = [];
  walk(value, [], found, skipped);
  return found;
}

/** @param skipped a top-level member that is not checked */
function walk(value: unknown, path: Path, found: BadText[], skipped: string | null = null): void {
  if (found.length >= ERRORS_SHOWN) return;
  if (typeof value === 'string') {
    note(value, path, found);
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) walkMember(value[index], index, path, found);
  } else if (isPlainObject(value)) {
    for (const name of Object.keys(value)) {
      if (name !== skipped && !note(name, path, found)) walkMember(value[name], name, path, found);
    }
  }
}

function walkMember(member: unknown, name: string | number, path: Path, found: BadText[]): void {
  path.push(name);
  walk(member, path, found);
  path.pop();
}

function note(text: string, path: Path, found: BadText[]): boolean {
  const error = textErrorOf(text);
  if (error) found.push({ path: [...path], error });
  return error !== null;
}

function textErrorOf(text: string): TextError | null {
  if (C0_CONTROL.test(text)) {
    return { type: 'string_control_character', msg: 'must not contain control characters' };
  }
  if (!text.isWellFormed()) {
    return {
      type: 'string_not_well_formed',
      msg: 'must be well-formed Unicode; it has half of a surrogate pair',
    };
  }
  return null;
}
