import type { AuditEntry } from '../../api/account.ts';
import { formatCount, withReadableDates } from '../../parts/format.ts';

/** Who made a change: a user, the command line, or a program's key. */
export function actorOf({ actor }: AuditEntry): string {
  return actor.kind === 'key' ? `key ${actor.name}` : actor.name;
}

/** `key.rotated` → `key rotated` */
export function actionOf({ action }: AuditEntry): string {
  return action.replaceAll(/[._]/g, ' ');
}

/** Details as `name: value`. Members that are null or empty lists are left out. */
export function detailsOf({ detail }: AuditEntry): string[] {
  if (typeof detail !== 'object' || detail === null) return [];
  return Object.entries(detail).flatMap(([name, value]: [string, unknown]) =>
    value === null || (Array.isArray(value) && value.length === 0)
      ? []
      : [`${name.replaceAll('_', ' ')}: ${textOf(value)}`],
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return withReadableDates(value);
  if (typeof value === 'number') return formatCount(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.map(textOf).join(', ') : JSON.stringify(value);
}
