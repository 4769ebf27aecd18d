import type { Warning } from '../../domain/warning.ts';
import type { FieldError } from './validation-error.ts';

/** A request can have thousands of unknown members. Only this many are named. */
const NAMED_MAX = 20;
const NAME_LENGTH_MAX = 100;

/** For callers that sent `Prefer: handling=strict`. */
export function unknownMemberError(loc: readonly (string | number)[]): FieldError {
  return { loc, msg: 'is not a member of this request', type: 'unknown_member', input: null, ctx: {} };
}

/** Named by the last part of their path, so that a GET gives the same warning as the equivalent POST. */
export function unknownMemberWarnings(names: readonly string[]): Warning[] {
  const warnings: Warning[] = names.slice(0, NAMED_MAX).map((name) => {
    const field = name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name;
    return {
      code: 'unknown_member',
      field,
      message: `"${field}" is not a member of this request and was ignored.`,
    };
  });
  const unnamed = names.length - warnings.length;
  if (unnamed > 0) {
    const message = `${unnamed} more members are not known and were ignored.`;
    warnings.push({ code: 'unknown_member', field: null, message });
  }
  return warnings;
}
