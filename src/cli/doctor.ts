import process from 'node:process';
import type { Command } from 'commander';
import { readProcessConfig, type Config } from '../config.ts';
import { examine } from '../doctor/examine.ts';
import { CHECKS, findingsOf, SETTINGS_ADVICE, type Finding } from '../doctor/finding.ts';
import { openBasemapArchive } from '../operations/map/basemap-archive.ts';
import type { JsonOption } from './options.ts';
import { printResult } from './print.ts';
import { readAssumptions, readPlans } from './read-files.ts';

/** Exit codes: for scripts and timers. */
const EXIT = { warning: 1, error: 2 } as const;

export function registerDoctor(program: Command): void {
  program.command('doctor').action(doctor);
}

async function doctor(options: JsonOption): Promise<void> {
  const findings: Finding[] = [];
  const setting = async <Value>(read: () => Value | Promise<Value>): Promise<Value | null> => {
    let value: Value | null = null;
    const found = await findingsOf('settings', SETTINGS_ADVICE, async () => {
      value = await read();
      return [];
    });
    findings.push(...found);
    return value;
  };
  const config = await setting(readProcessConfig);
  if (config !== null) findings.push(...(await examineConfig(config, setting)));
  printResult(options, { findings }, describe(findings));
  const worst = findings.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
  if (findings.length > 0) process.exitCode = EXIT[worst];
}

type ReadSetting = <Value>(read: () => Value | Promise<Value>) => Promise<Value | null>;

async function examineConfig(config: Config, setting: ReadSetting): Promise<Finding[]> {
  const plans = await setting(() => readPlans(config));
  await setting(() => readAssumptions(config));
  const { basemapPmtiles } = config;
  if (basemapPmtiles !== null) await setting(async () => (await openBasemapArchive(basemapPmtiles)).close());
  return examine({ config, plans });
}

function describe(findings: readonly Finding[]): string {
  if (findings.length === 0) return `Nothing is wrong. Examined: ${CHECKS.join(', ')}.`;
  const lines = findings.map(
    ({ severity, check, what, where, remedy }) =>
      `${severity}: ${check}: ${what}\n  where: ${where}\n  what to do: ${remedy}`,
  );
  return lines.join('\n');
}
