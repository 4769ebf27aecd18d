import type { Problem } from '../../api/problem.ts';
import type { DescribedHome, Valued } from '../../api/valuations.ts';
import { bodyOf, type Asked, type Kind } from './asked.ts';
import { completeAsked, type CompleteAsked } from './complete-asked.ts';

/** What the server is asked for a value; another one in tests. */
export interface Asking {
  readonly describe: (body: unknown, signal: AbortSignal) => Promise<DescribedHome>;
  readonly value: Readonly<Record<Kind, (body: unknown, signal: AbortSignal) => Promise<Valued>>>;
  /** What was thrown, as a problem. */
  readonly problemOf: (error: unknown) => Pick<Problem, 'code'>;
  /** What was described already, by place and day. */
  readonly known: Map<string, DescribedHome>;
}

export interface AskedValue {
  readonly described: DescribedHome | null;
  readonly complete: CompleteAsked;
  /** Null where something is missing that nobody knows. */
  readonly valued: Valued | null;
}

/**
 * The value of what is asked, on its day: described as of that day, completed with what was known on it, and valued. All that the
 * page shows comes this way, so that a day has one value, whether somebody slides to it or all days are played.
 */
export async function askValue(
  asking: Asking,
  asked: Asked,
  signal: AbortSignal,
  numComps?: number,
): Promise<AskedValue> {
  const described = await describeOnce(asking, asked, signal);
  const complete = completeAsked(asked, described);
  if (complete.missing.length > 0) return { described, complete, valued: null };
  const valued = await asking.value[asked.kind](bodyOf(complete.asked, numComps), signal);
  return { described, complete, valued };
}

/**
 * What the records said of the place on the day: those of a later day must fill no request of an earlier one. Rents and buildings
 * can do without, where no sales are known.
 */
async function describeOnce(
  { describe, known, problemOf }: Asking,
  { where, date, kind }: Asked,
  signal: AbortSignal,
): Promise<DescribedHome | null> {
  const key = JSON.stringify([where, date]);
  const found = known.get(key);
  if (found) return found;
  try {
    const body = { location: where, search_params: date === null ? {} : { date } };
    const described = await describe(body, signal);
    known.set(key, described);
    return described;
  } catch (error) {
    const { code } = problemOf(error);
    if (kind !== 'home' && (code === 'insufficient_data' || code === 'outside_coverage')) return null;
    throw error;
  }
}
