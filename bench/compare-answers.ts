/**
 * Prints how two recordings differ (bench/record-answers.ts), one line per answer and member:
 *
 *   node bench/compare-answers.ts before/answers.jsonl after/answers.jsonl
 *
 * Two files of SHA-256 (`.sha256`) can be compared too: they tell which answers differ, not how. Exit code 1 where anything differs.
 */
import process from 'node:process';
import { readAnswers, readHashes } from './recording/answer-log.ts';
import type { Json } from './recording/normalize.ts';

const SHOWN_PER_ANSWER = 6;

const [before, after] = process.argv
  .slice(2)
  .map((file) => (file.endsWith('.sha256') ? readHashes(file) : readAnswers(file)));
if (!before || !after) throw new Error('give two files of recorded answers');
let differing = 0;
for (const [name, text] of before) {
  const other = after.get(name);
  if (other === text) continue;
  differing++;
  if (other === undefined) {
    console.log(`${name}\n    only before`);
    continue;
  }
  const lines = [...differences(JSON.parse(text) as Json, JSON.parse(other) as Json, '')];
  if (lines.length === 0) lines.push('the members are in another order');
  console.log(`${name}\n    ${lines.slice(0, SHOWN_PER_ANSWER).join('\n    ')}`);
  if (lines.length > SHOWN_PER_ANSWER) console.log(`    and ${lines.length - SHOWN_PER_ANSWER} more`);
}
for (const name of after.keys()) {
  if (before.has(name)) continue;
  differing++;
  console.log(`${name}\n    only after`);
}
console.log(`${before.size} answers before, ${after.size} after; ${differing} differ`);
process.exitCode = differing === 0 ? 0 : 1;

function* differences(a: Json, b: Json, path: string): Generator<string> {
  if (a !== null && b !== null && typeof a === 'object' && typeof b === 'object') {
    const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
    for (const name of new Set([...left.keys(), ...right.keys()])) {
      const [one, other] = [left.get(name) as Json | undefined, right.get(name) as Json | undefined];
      if (one === undefined) yield `${path}/${name}: only after: ${shortened(other)}`;
      else if (other === undefined) yield `${path}/${name}: only before: ${shortened(one)}`;
      else yield* differences(one, other, `${path}/${name}`);
    }
  } else if (a !== b) yield `${path}: ${shortened(a)} → ${shortened(b)}`;
}

function shortened(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
