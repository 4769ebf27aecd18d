import { SingleBar } from 'cli-progress';
import type { OnProgress } from '../load/import-options.ts';

interface Progress {
  readonly report: OnProgress;
  /** Ends the bar; call it before printing anything else. */
  close(): void;
}

/** Shows the progress of `work`, and ends the display before anything else is printed. */
export async function withProgress<Result>(work: (report: OnProgress) => Promise<Result>): Promise<Result> {
  const progress = openProgress();
  try {
    return await work(progress.report);
  } finally {
    progress.close();
  }
}

/** Progress goes to stderr, so that `--json` on stdout stays clean. */
export function openProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? openBar(stream) : openLines(stream);
}

/** A progress bar on a terminal. Each step starts a new bar. */
function openBar(stream: NodeJS.WriteStream): Progress {
  let bar: SingleBar | null = null;
  let current = '';
  const close = (): void => {
    bar?.stop();
    bar = null;
  };
  return {
    close,
    report(step, done, total) {
      if (step !== current || bar === null) {
        close();
        current = step;
        bar = new SingleBar({
          format: '{step} [{bar}] {percentage}%  {duration_formatted}',
          barCompleteChar: '█',
          barIncompleteChar: '░',
          hideCursor: true,
          clearOnComplete: false,
          stream,
        });
        bar.start(1, 0, { step: step.padEnd(34) });
      }
      bar.update(total ? Math.min(1, done / total) : 0);
    },
  };
}

/** In files and CI: one plain line per step, and one for each tenth. */
function openLines(stream: NodeJS.WriteStream): Progress {
  let current = '';
  let tenth = -1;
  return {
    close() {
      current = '';
    },
    report(step, done, total) {
      const reached = total ? Math.floor((10 * done) / total) : -1;
      if (step === current && reached === tenth) return;
      if (step !== current) stream.write(`${step}\n`);
      else if (reached > tenth) stream.write(`${step}: ${Math.min(100, reached * 10)} %\n`);
      current = step;
      tenth = reached;
    },
  };
}
