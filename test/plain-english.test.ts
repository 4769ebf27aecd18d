import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
/** Lines of prose are easy to read, and to compare in a change, up to this length. */
const MAX_LINE_LENGTH = 100;

const documents = globSync(['*.md', '{docs,client,web,bench,test}/**/*.md'], { cwd: root })
  .filter((file) => !file.includes('node_modules/'))
  .sort();
const programs = globSync(
  ['{src,bench}/**/*.ts', 'web/src/**/*.{ts,tsx,css}', 'web/*.{ts,js,html}', 'client/{generate,src}/**/*.ts'],
  { cwd: root },
)
  .filter((file) => !file.startsWith('client/src/generated/'))
  .sort();

/** `whoever`, `told apart` …: words that make sentences sound translated, one per line. */
const bannedWords = readFileSync(join(import.meta.dirname, 'banned-words.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
/** A phrase may be split over two lines of a comment. */
const BANNED = new RegExp(
  `\\b(${bannedWords.map((words) => words.replaceAll(' ', '[\\s/*]+')).join('|')})\\b`,
  'gi',
);

/** Replaces every character but line breaks, so that positions stay the same. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** Prose without fenced code, code spans, quotations and the targets of links. */
function withoutCodeAndQuotations(markdown: string): string {
  return markdown
    .replace(/^ *```[\s\S]*?^ *```/gm, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/"[^"\n]*"|“[^”\n]*”/g, blank)
    .replace(/\]\([^)\n]*\)/g, blank);
}

/** Everything in a program: comments, and texts in its code. Only in comments do backticks and quotation marks enclose code and quotations. */
function proseOf(program: string): string {
  return program.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, withoutCodeAndQuotations);
}

/** The sentence around a position, on one line. */
function sentenceAt(text: string, at: number): string {
  const from = Math.max(...['. ', '.\n', '\n\n', "'", '/**'].map((end) => text.lastIndexOf(end, at))) + 1;
  const rest = text.slice(at);
  const length = rest.search(/[.!?](\s|$)|\n\n|'/);
  const sentence = text.slice(from, length < 0 ? undefined : at + length + 1);
  return sentence
    .replace(/\n\s*\*?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** `file:line  "word" in: sentence` for every banned word. */
function bannedIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const prose = file.endsWith('.md') ? withoutCodeAndQuotations(text) : proseOf(text);
  return [...prose.matchAll(BANNED)].map(
    (found) => `${file}:${lineAt(text, found.index)}  "${found[0]}" in: ${sentenceAt(text, found.index)}`,
  );
}

/** Lines of prose that are too long. Tables, headings, images, formulas and addresses cannot be broken. */
function longLinesIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/^ *```[\s\S]*?^ *```/gm, blank);
  return text.split('\n').flatMap((line, at) => {
    const isProse =
      !/^\s*\||^\s*<|^\[[^\]]+\]: |^#|^`|^!\[/.test(line) && /\S\s+\S/.test(line.slice(0, MAX_LINE_LENGTH));
    return isProse && line.length > MAX_LINE_LENGTH
      ? [`${file}:${at + 1}  ${line.length} characters: ${line.trim().slice(0, 60)}…`]
      : [];
  });
}

function assertClean(files: readonly string[], faultsIn: (file: string) => string[], rule: string): void {
  const faults = files.flatMap(faultsIn);
  assert.equal(faults.length, 0, `${rule}\n  ${faults.join('\n  ')}`);
}

test('no text uses a word of test/banned-words.txt', () => {
  assertClean([...documents, ...programs], bannedIn, 'Say it in plain American English (CONTRIBUTING.md):');
});

test(`no line of prose in a document is longer than ${MAX_LINE_LENGTH} characters`, () => {
  assertClean(documents, longLinesIn, 'Break these lines:');
});

test('words are found in comments, texts and documents, but not in code spans and quotations', () => {
  const found = (text: string): string[] => [...text.matchAll(BANNED)].map(([word]) => word);
  assert.deepEqual(found(proseOf('/** Tells\n * whoever asks. */')), ['whoever']);
  assert.deepEqual(found(proseOf("const text = 'Begin Anew';")), ['Anew']);
  assert.deepEqual(found(proseOf('/** what is told\n * apart, and is\n * told so. */')), [
    'is told',
    'is\n * told',
  ]);
  assert.deepEqual(found(proseOf('/** The option `anew` and the word "hence". */')), []);
  assert.deepEqual(
    found(withoutCodeAndQuotations('Say it `anew`, "whoever" or “thrice”.\n```\nlest\n```\n')),
    [],
  );
});
