/**
 * Prints how two recordings differ (bench/record-answers.ts), one line per answer and member:
 *
 *   node bench/compare-answers.ts before/answers.jsonl after/answers.jsonl
 *
 * Two files of SHA-256 (`.sha256`) can be compared too: they tell which answers differ, not how. Exit code 1 where anything differs.
 */
import { join } from 'node:path';
import process from 'node:process';
import { readAnswers, readHashes, sha256Of } from './recording/answer-log.ts';
import { EXPECTED_DIFFERENCES } from './recording/expected-differences.ts';
import type { Json } from './recording/normalize.ts';

const SHOWN_PER_ANSWER = 6;

const [before, after] = process.argv
  .slice(2)
  .map((file) => (file.endsWith('.sha256') ? readHashes(file) : readAnswers(file)));
if (!before || !after) throw new Error('give two files of recorded answers');
const accepted = readHashes(join(import.meta.dirname, 'recording/accepted.sha256'));
/** As read from a file of hashes, or of an answer. */
const hashOf = (text: string): string =>
  /^"[0-9a-f]{64}"$/.test(text) ? text : JSON.stringify(sha256Of(text));
let differing = 0;
const expected = new Map<string, number>();
for (const [name, text] of before) {
  const other = after.get(name);
  if (other === text) continue;
  const known = EXPECTED_DIFFERENCES.find(({ names }) => names.test(name));
  if (known && other !== undefined && hashOf(other) === accepted.get(name)) {
    expected.set(known.commit, (expected.get(known.commit) ?? 0) + 1);
    continue;
  }
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
for (const { commit, reason } of EXPECTED_DIFFERENCES)
  console.log(`${expected.get(commit) ?? 0} differ as expected since ${commit}: ${reason}`);
console.log(`${before.size} answers before, ${after.size} after; ${differing} differ otherwise`);
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
