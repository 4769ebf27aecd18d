import type { ComponentChildren } from 'preact';
import type { Asked } from '../api/use-answer.ts';
import { ProblemNotice, Waiting } from './notice.tsx';

/** Shows what was asked for once it is there; until then what is waited for, or why it was refused. */
export function Answered<T>(props: {
  readonly asked: Asked<T>;
  /** "Reading the keys" */
  readonly waiting: string;
  readonly children: (answer: T) => ComponentChildren;
}) {
  const { asked, waiting, children } = props;
  if (asked.problem) return <ProblemNotice problem={asked.problem} onRetry={asked.reload} />;
  if (asked.answer === null) return <Waiting for={waiting} />;
  return <>{children(asked.answer)}</>;
}
