import type { AuditEntry } from '../../api/administration.ts';

/** Who made a change: their name, the command line, or a program's key. */
export function actorOf({ actor }: AuditEntry): string {
  if (actor.kind === 'command_line') return 'command line';
  return actor.kind === 'key' ? `key ${actor.name}` : actor.name;
}

/** `key.rotated` → `key rotated` */
export function actionOf({ action }: AuditEntry): string {
  return action.replaceAll(/[._]/g, ' ');
}

/** What is known beside, as `name: value` parts; nested values as JSON. */
export function detailsOf({ detail }: AuditEntry): string[] {
  if (typeof detail !== 'object' || detail === null) return [];
  return Object.entries(detail).map(
    ([name, value]: [string, unknown]) =>
      `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}

/** Whether an entry has every word of what is looked for, anywhere in what is shown of it. */
export function matchesEntry(entry: AuditEntry, words: string): boolean {
  const text = [
    actorOf(entry),
    actionOf(entry),
    entry.action,
    entry.subject,
    entry.account_id,
    ...detailsOf(entry),
  ]
    .join(' ')
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
