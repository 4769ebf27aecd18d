import { formatDay, parseDay, type Day } from '../../../domain/day.ts';
import { parseStepLength, stepLengthText, stepsAfter, type StepLength } from '../../../domain/step-length.ts';
import { usageError } from '../../../errors.ts';

/**
 * Frozen: one training before a day. It values every later sale, without data that became known from that day on.
 * Walk-forward: retrained at regular steps, each sale valued with what was known the day before it.
 * First and last days of closing are both tested; null = to the newest sale.
 */
export type DatedProtocol =
  | { readonly kind: 'frozen'; readonly trainBefore: Day; readonly to: Day | null }
  | {
      readonly kind: 'walk_forward';
      readonly from: Day;
      readonly to: Day | null;
      readonly every: StepLength;
    };

/**
 * What is assigned to a fold together: single rows, so that a building's other listings are seen; a building's point; or
 * a cell of 220 m, so that neighbors are withheld too.
 */
export const FOLD_UNITS = ['row', 'point', 'cell'] as const;
export type FoldUnit = (typeof FOLD_UNITS)[number];

/** Every row valued by a model trained without its fold, regardless of dates: for markets without useful dates. */
export interface FoldProtocol {
  readonly kind: 'folds';
  readonly unit: FoldUnit;
  readonly count: number;
}

export type BacktestProtocol = DatedProtocol | FoldProtocol;

/** The options of the command line. */
type ProtocolTexts = Readonly<
  Partial<Record<'folds' | 'foldCount' | 'trainBefore' | 'from' | 'to' | 'every', string>>
>;

/** One training and the closings it values: start ≤ day < end. */
export interface Step {
  readonly start: Day;
  readonly end: Day;
  /** The day before `start`, the last whose data the training uses. */
  readonly trainedOn: Day;
}

const DEFAULT_EVERY: StepLength = { unit: 'months', count: 1 };
/** More trainings than this are a typing error. */
const MAX_STEPS = 1000;
const DEFAULT_FOLDS = 5;
const MAX_FOLDS = 20;

/** Reads and checks the options. A usage error says what to write instead. */
export function readProtocol(texts: ProtocolTexts): BacktestProtocol {
  if (texts.folds !== undefined) return readFolds(texts.folds, texts);
  if (texts.foldCount !== undefined) throw usageError('--fold-count goes with --folds.');
  const to = texts.to === undefined ? null : readDay('--to', texts.to);
  if (texts.trainBefore !== undefined) {
    if (texts.from !== undefined || texts.every !== undefined) {
      throw usageError(
        'Give either --train-before DATE (frozen) or --from DATE [--to DATE] [--every 1mo] (walk-forward), not both.',
      );
    }
    return checkOrder({ kind: 'frozen', trainBefore: readDay('--train-before', texts.trainBefore), to });
  }
  if (texts.from === undefined) {
    throw usageError(
      'Say what to measure: --train-before DATE (frozen), --from DATE [--to DATE] [--every 1mo] (walk-forward) or ' +
        '--folds row|point|cell (by place, for markets without dates).',
    );
  }
  const every = texts.every === undefined ? DEFAULT_EVERY : readEvery(texts.every);
  return checkOrder({ kind: 'walk_forward', from: readDay('--from', texts.from), to, every });
}

function readFolds(folds: string, texts: ProtocolTexts): FoldProtocol {
  if ([texts.trainBefore, texts.from, texts.to, texts.every].some((text) => text !== undefined)) {
    throw usageError(
      '--folds tests every row by place, not by date: leave out --train-before, --from, --to and --every.',
    );
  }
  const unit = FOLD_UNITS.find((candidate) => candidate === folds);
  if (unit === undefined) {
    throw usageError(`--folds takes row (one by one), point (a building) or cell (220 m), not "${folds}".`);
  }
  const count = Number(texts.foldCount ?? DEFAULT_FOLDS);
  if (!Number.isInteger(count) || count < 2 || count > MAX_FOLDS) {
    throw usageError(`--fold-count takes a whole number from 2 to ${MAX_FOLDS}, not "${texts.foldCount}".`);
  }
  return { kind: 'folds', unit, count };
}

function readEvery(text: string): StepLength {
  const every = parseStepLength(text);
  if (every !== null) return every;
  throw usageError(
    `--every takes a number of days or calendar months such as 14d, 1mo or 3mo, not "${text}".`,
  );
}

/** The trainings of a protocol up to the newest sale, oldest first; none when no sale closes in its window. */
export function planSteps(protocol: DatedProtocol, newestSoldOn: Day): Step[] {
  const last = Math.min(protocol.to ?? newestSoldOn, newestSoldOn);
  const stepFrom = (start: Day, end: Day): Step => ({ start, end, trainedOn: start - 1 });
  if (protocol.kind === 'frozen') {
    return protocol.trainBefore > last ? [] : [stepFrom(protocol.trainBefore, last + 1)];
  }
  const { from, every } = protocol;
  const startOf = (k: number): Day => stepsAfter(from, every, k);
  const steps: Step[] = [];
  for (let k = 0; startOf(k) <= last; k++) {
    if (k === MAX_STEPS) {
      throw usageError(
        `--every ${stepLengthText(every)} from ${formatDay(from)} makes more than ${MAX_STEPS} trainings: take longer steps or a shorter window.`,
      );
    }
    steps.push(stepFrom(startOf(k), Math.min(startOf(k + 1), last + 1)));
  }
  return steps;
}

/** In words: "frozen: trained once on what was known before 2015-03-15, …". */
export function protocolText(protocol: BacktestProtocol): string {
  if (protocol.kind === 'folds') {
    const place = { row: 'row', point: 'building', cell: '220 m cell' }[protocol.unit];
    return `${protocol.count} folds by ${place}: each valued by a model trained without any row of its fold, dates aside`;
  }
  const to = protocol.to === null ? 'the newest sale' : formatDay(protocol.to);
  return protocol.kind === 'frozen'
    ? `frozen: trained once on what was known before ${formatDay(protocol.trainBefore)}, tested on closings from that day to ${to}`
    : `walk-forward: closings from ${formatDay(protocol.from)} to ${to}, retrained every ${stepWords(protocol.every)}`;
}

/** `month`, `3 months`, `14 days` */
function stepWords({ unit, count }: StepLength): string {
  return count === 1 ? unit.slice(0, -1) : `${count} ${unit}`;
}

function checkOrder(protocol: DatedProtocol): DatedProtocol {
  const first = protocol.kind === 'frozen' ? protocol.trainBefore : protocol.from;
  if (protocol.to !== null && protocol.to < first) {
    throw usageError(`--to ${formatDay(protocol.to)} is before the first tested day, ${formatDay(first)}.`);
  }
  return protocol;
}

function readDay(option: string, text: string): Day {
  const day = parseDay(text.trim());
  if (day === null) throw usageError(`${option} takes a day that exists, written YYYY-MM-DD, not "${text}".`);
  return day;
}
