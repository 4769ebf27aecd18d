import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { normalized, type Json } from './normalize.ts';

/** What one request or command came to. */
interface RecordedAnswer {
  readonly name: string;
  /** HTTP status, or exit code of a command. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

export type RecordAnswer = (answer: RecordedAnswer) => void;

/** Appends answers to a file as they are, one JSON text a line. Normalizing comes later, when two sides are compared. */
export function openAnswerLog(file: string): RecordAnswer {
  rmSync(file, { force: true });
  const names = new Set<string>();
  return (answer) => {
    if (names.has(answer.name)) throw new Error(`two recorded answers are named "${answer.name}"`);
    names.add(answer.name);
    appendFileSync(file, `${JSON.stringify(answer)}\n`);
  };
}

/** Normalized answers by name, in the order of recording. */
export function readAnswers(file: string): Map<string, string> {
  const answers = new Map<string, string>();
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const { name, status, headers, body } = JSON.parse(line) as RecordedAnswer;
    answers.set(
      name,
      JSON.stringify({ status, headers: normalized(headers), body: normalized(body) }, null, 1),
    );
  }
  return answers;
}

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Hashes by name, quoted: a hash is compared like an answer. */
export function readHashes(file: string): Map<string, string> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => [line.slice(66), JSON.stringify(line.slice(0, 64))]));
}
