import type { Command } from 'commander';
import { formatCount } from '../domain/display-format.ts';
import { boxKeyPath, findBoxKey, fingerprintOfKey } from '../accounts/secret-box.ts';
import { readProcessConfig, type Config } from '../config.ts';
import type { Manifest } from '../store/backup/manifest.ts';
import { takeBackup } from '../store/backup/take-backup.ts';
import { openExisting } from '../store/open-store.ts';
import type { JsonOption } from './options.ts';
import { printResult } from './print.ts';
import { withProgress } from './progress.ts';

export function registerBackup(program: Command): void {
  program
    .command('backup')
    .argument('<folder>', 'the folder to create, such as backups/2026-06-30')
    .action(backup);
}

async function backup(folder: string, options: JsonOption): Promise<void> {
  const config = readProcessConfig();
  const key = findBoxKey(config);
  const keyFingerprint = key && fingerprintOfKey(key);
  // Not migrated: a backup before an upgrade keeps the schema that the earlier program can read.
  const store = await openExisting(config);
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const manifest = await withProgress((onProgress) =>
      takeBackup(store, folder, { keyFingerprint, onProgress, signal: interruption.signal }),
    );
    printResult(options, { folder, ...manifest }, describeBackup(folder, manifest, config));
  } finally {
    await store.close();
  }
}

function describeBackup(folder: string, { parts, keyFingerprint }: Manifest, config: Config): string {
  const sum = (of: 'rows' | 'bytes'): number => parts.reduce((total, part) => total + part[of], 0);
  const lines = [
    `${folder} has ${formatCount(sum('rows'))} rows of ${parts.length} tables in ${(sum('bytes') / 1e6).toFixed(1)} MB.`,
  ];
  if (keyFingerprint !== null) {
    const where = config.webhookKey === null ? `the file ${boxKeyPath(config.dataDir)}` : 'WEBHOOK_KEY';
    lines.push(
      `Webhook secrets and second factors in it need the key ${keyFingerprint}: keep ${where} elsewhere.`,
    );
  }
  return lines.join('\n');
}
