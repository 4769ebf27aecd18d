import type { FieldError } from './validation-error.ts';

type Path = readonly (string | number)[];

/** NUL and the other C0 controls: one database refuses them, and they break logs and headers. */
// oxlint-disable-next-line no-control-regex
const C0_CONTROL = /[\u0000-\u001f]/;

/**
 * Every text in a value, and every member name, that no answer may carry: control characters and halves of
 * surrogate pairs. The value has passed the depth limit, so recursion is safe.
 */
export function findBadText(value: unknown, path: Path = []): { path: Path; error: TextError }[] {
  if (typeof value === 'string') {
    const error = textErrorOf(value);
    return error ? [{ path, error }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => findBadText(item, [...path, index]));
  return Object.entries(value).flatMap(([name, member]) => {
    const error = textErrorOf(name);
    return error ? [{ path, error }] : findBadText(member, [...path, name]);
  });
}

type TextError = Pick<FieldError, 'type' | 'msg'>;

function textErrorOf(text: string): TextError | null {
  if (C0_CONTROL.test(text)) {
    return { type: 'string_control_character', msg: 'Text must not contain control characters' };
  }
  if (!text.isWellFormed()) {
    return {
      type: 'string_not_well_formed',
      msg: 'Text must be well-formed Unicode (it has half a surrogate pair)',
    };
  }
  return null;
}
