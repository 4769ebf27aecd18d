import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { systemCodeOf } from '../errors.ts';
import type { RunCommand, ModelJobEnd } from '../jobs/run-model-jobs.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** A backtest report of several years has some hundred KB; progress lines are short. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
const EXIT_USAGE = 1;

/**
 * Runs a job in its own process at a lower priority, so that its memory is freed at the end and a crash does
 * not affect the server.
 */
export const runModelCommand: RunCommand = ({ task, options }) => {
  const child = spawn(process.execPath, [MAIN, task, ...options, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) lowerPriority(child.pid);
  let printed = '';
  let progress: string | null = null;
  let trouble = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (printed.length > MAX_CHARACTERS) child.kill();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    trouble = (trouble + text).slice(-4000);
    progress = text.trim().split('\n').at(-1) ?? progress;
  });
  const ended = new Promise<ModelJobEnd>((resolve) => {
    child.on('error', (error) => resolve({ failure: `It could not be started: ${error.message}.` }));
    child.on('close', (code, signal) => resolve(endOf(code, signal, printed, trouble)));
  });
  return { ended, progress: () => progress, stop: () => child.kill() };
};

function endOf(
  code: number | null,
  signal: NodeJS.Signals | null,
  printed: string,
  trouble: string,
): ModelJobEnd {
  if (code === 0) return { json: printed };
  const said = trouble.trim().split('\n').at(-1)?.replace('plumbline: ', '');
  if (code === EXIT_USAGE && said) return { failure: said };
  return {
    failure: `It ended with ${signal ?? `exit code ${code}`}, which is a bug: ${said ?? 'nothing was said'}`,
    isKilled: signal !== null,
  };
}

/** The process has already ended, so its priority no longer matters. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    if (systemCodeOf(error) !== 'ERR_SYSTEM_ERROR') throw error;
  }
}
