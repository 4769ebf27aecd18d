import type { Command } from 'commander';
import { formatCount } from '../domain/display-format.ts';
import { findBoxKey, fingerprintOfKey } from '../accounts/secret-box.ts';
import { trySealedSecrets, type SealedSecrets } from '../doctor/sealed-secrets.ts';
import type { Access } from '../store/backup/access.ts';
import { verifyBackup, type Manifest } from '../store/backup/manifest.ts';
import { rejectFilled, restoreBackup, type Restored } from '../store/backup/restore-backup.ts';
import { withServedStore } from './configured-store.ts';
import type { JsonOption } from './options.ts';
import { printResult } from './print.ts';
import { withProgress } from './progress.ts';

interface RestoreOptions extends JsonOption {
  readonly replace?: boolean;
  readonly verify?: boolean;
}

/** How many of a kind are listed by name. `--json` has all. */
const NAMED = 10;
const KINDS: Readonly<Record<Access['kind'], readonly [one: string, many: string]>> = {
  key: ['API key', 'API keys'],
  share_link: ['share link', 'share links'],
  webhook_endpoint: ['webhook endpoint', 'webhook endpoints'],
  user: ['user', 'users'],
};

export function registerRestore(program: Command): void {
  program
    .command('restore')
    .argument('<folder>', 'the backup')
    .option('--replace', 'delete everything in the database first; stop all processes before')
    .option('--verify', 'only check that the backup is complete and undamaged')
    .action(restore);
}

async function restore(
  folder: string,
  { replace = false, verify, ...options }: RestoreOptions,
): Promise<void> {
  const check = (): Promise<Manifest> => withProgress((onProgress) => verifyBackup(folder, onProgress));
  if (verify) {
    const manifest = await check();
    const text = `${folder} is complete and undamaged: ${rowsText(manifest)}, taken at ${manifest.takenAt}.`;
    return printResult(options, manifest, text);
  }
  // The check of a large backup takes minutes. What prevents a restore anyway is reported before it.
  await withServedStore(async (store, config) => {
    if (!replace) await rejectFilled(store);
    const manifest = await check();
    const restored = await withProgress((onProgress) =>
      restoreBackup(store, folder, manifest, { isReplacing: replace, onProgress }),
    );
    const key = findBoxKey(config);
    const sealedSecrets = await trySealedSecrets(store, key);
    const { takenAt, keyFingerprint } = manifest;
    const ownKey = key && fingerprintOfKey(key);
    const result = { folder, takenAt, keyFingerprint, ownKey, ...restored, sealedSecrets };
    printResult(options, result, describeRestore(manifest, restored, sealedSecrets, ownKey));
  });
}

function rowsText({ parts }: Manifest): string {
  return `${formatCount(parts.reduce((sum, { rows }) => sum + rows, 0))} rows of ${parts.length} tables`;
}

function describeRestore(
  manifest: Manifest,
  { active, activeAgain, lost, endedSessions, openWork }: Restored,
  sealedSecrets: SealedSecrets,
  ownKey: string | null,
): string {
  const lines = [
    `Restored ${rowsText(manifest)}, as of ${manifest.takenAt}.`,
    `In effect as of then: ${listAccess(active, false)}. Passwords and second factors are those of then, too.`,
  ];
  if (activeAgain.length > 0) {
    lines.push(
      `Ended or deleted since the backup and valid again: ${listAccess(activeAgain, true)}. End them again.`,
    );
  }
  if (lost.length > 0) lines.push(`Created since the backup and lost: ${listAccess(lost, true)}.`);
  lines.push(`Console sessions ended: ${endedSessions}. Everyone signs in again.`);
  if (openWork.jobs > 0) lines.push(`Jobs that continue, also if they ended since: ${openWork.jobs}.`);
  if (openWork.deliveries > 0) {
    lines.push(`Webhooks that are sent, also if they were sent since: ${openWork.deliveries}.`);
  }
  const { count, unreadable } = sealedSecrets;
  if (unreadable.length > 0) {
    lines.push(
      `${unreadable.length} of ${count} sealed secrets need the key ${manifest.keyFingerprint ?? 'of that time'}; this ` +
        `installation has ${ownKey === null ? 'none' : `the key ${ownKey}`}. Before you start it, put that key into ` +
        `WEBHOOK_KEY or the file webhook-key of the data folder. These cannot be read: ${firstOf(unreadable)}.`,
    );
  }
  return lines.join('\n');
}

/** `2 API keys (desk abcdefgh, web ijklmnop), 1 user (ada)`. */
function listAccess(all: readonly Access[], isNamed: boolean): string {
  const byKind = Map.groupBy(all, ({ kind }) => kind);
  const parts = [...byKind].map(([kind, those]) => {
    const count = `${those.length} ${KINDS[kind][those.length === 1 ? 0 : 1]}`;
    return isNamed ? `${count} (${firstOf(those.map(({ name, id }) => `${name} ${id}`))})` : count;
  });
  return parts.length === 0 ? 'no keys, links, webhook endpoints or users' : parts.join(', ');
}

function firstOf(names: readonly string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
