import { ERROR_GUIDE } from '../api/error-guide.ts';
import type { Told } from './tools.ts';

interface ProblemLike {
  readonly [member: string]: unknown;
  readonly code: string;
  readonly request_id: string;
  readonly detail: string | readonly { readonly loc: readonly (string | number)[]; readonly msg: string }[];
  readonly candidates?: readonly {
    readonly formatted_address: string;
    readonly latitude: number;
    readonly longitude: number;
  }[];
  readonly retry_after?: number;
}

/**
 * Explains an error in terms of the tool's arguments: a model reads this and calls again, or tells its user.
 */
export function sayProblem(text: string): Told {
  const problem: ProblemLike = JSON.parse(text);
  const { code, detail, candidates = [], request_id: requestId, retry_after: wait } = problem;
  const sentences = [
    ...(typeof detail === 'string' ? [detail] : detail.map(sayFieldError)),
    ...adviceOf(code),
    ...candidates.map((one) => `Candidate: ${one.formatted_address} (${one.latitude}, ${one.longitude})`),
    ...(wait === undefined ? [] : [`Try again in ${wait} s, not before.`]),
    `(code ${code}, request ${requestId})`,
  ];
  return { structured: problem, sentences: sentences.join('\n') };
}

/** The arguments are the body itself, so positions omit "body". */
function sayFieldError({
  loc,
  msg,
}: {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}): string {
  return `${loc.filter((part) => part !== 'body').join('.')} ${msg}`;
}

function adviceOf(code: string): string[] {
  if (code === 'validation_error') return ['Correct these arguments and call again.'];
  if (code === 'outside_coverage' || code === 'insufficient_data') {
    return ['Call the tool `coverage` to see which places and dates are served; do not guess a value.'];
  }
  const advice = Object.entries(ERROR_GUIDE).find(([known]) => known === code)?.[1];
  return advice ? [advice] : [];
}
