/**
 * Records what a checkout of this repository imports, trains, measures and answers, to compare two commits:
 *
 *   node bench/record-answers.ts --checkout ../before --work /tmp/before --files /tmp/files --out before.sha256
 *   node bench/record-answers.ts --checkout .         --work /tmp/after  --files /tmp/files --out after.sha256
 *   node bench/compare-answers.ts /tmp/before/answers.jsonl /tmp/after/answers.jsonl
 *
 * `--files` is made first from a worktree of commit 58f135e, with the shared data beside the repository:
 *
 *   node bench/record-answers.ts --checkout ../before --files /tmp/files --stage
 *
 * The second side may be compared without the first one's answers, by bench/recording/before.sha256. After a change of
 * bench/recording/renamed.ts those hashes are written again from the kept answers:
 *
 *   node bench/record-answers.ts --hash /tmp/before/answers.jsonl --out bench/recording/before.sha256
 *
 * `--without-backtests` takes half the time. `--keep-data` serves the data folder of the recording before, without imports, trainings and backtests.
 * Takes some 12 minutes on two cores. Only the SHA-256 of each normalized answer belongs in the repository.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openAnswerLog, readAnswers, sha256Of } from './recording/answer-log.ts';
import { LOADING_TIME, openCheckout, SERVING_TIME } from './recording/checkout.ts';
import { recordLoading, recordOperatorCommands, recordTools } from './recording/record-commands.ts';
import { recordService } from './recording/record-service.ts';
import { stageFiles } from './recording/stage-files.ts';

const { values } = parseArgs({
  options: {
    checkout: { type: 'string' },
    files: { type: 'string' },
    work: { type: 'string' },
    out: { type: 'string' },
    hash: { type: 'string' },
    stage: { type: 'boolean', default: false },
    'without-backtests': { type: 'boolean', default: false },
    'keep-data': { type: 'boolean', default: false },
  },
});
const required = (name: 'checkout' | 'files' | 'work' | 'out'): string => {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing`);
  return resolve(value);
};

if (values.stage) {
  await stageFiles(required('checkout'), required('files'));
} else if (values.hash !== undefined) {
  writeHashes(resolve(values.hash), required('out'));
} else {
  await record(required('checkout'), required('files'), required('work'), required('out'));
}

async function record(folder: string, files: string, work: string, out: string): Promise<void> {
  const data = join(work, 'data');
  const loaded = join(work, 'loaded');
  const loading = join(work, 'loading.jsonl');
  const serving = join(work, 'serving.jsonl');
  const answers = join(work, 'answers.jsonl');
  if (!values['keep-data']) {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    await recordLoading(
      openCheckout(folder, { files, dataDir: data, time: LOADING_TIME }),
      openAnswerLog(loading),
      values['without-backtests'] ? [] : undefined,
    );
    cpSync(data, loaded, { recursive: true });
  }
  // Requests write to the folder too, so each recording of them begins with a copy.
  rmSync(data, { recursive: true, force: true });
  cpSync(loaded, data, { recursive: true });
  const checkout = openCheckout(folder, { files, dataDir: data, time: SERVING_TIME });
  const recordAnswer = openAnswerLog(serving);
  await recordService(checkout, recordAnswer, files);
  await recordOperatorCommands(checkout, recordAnswer);
  await recordTools(checkout, recordAnswer);
  writeFileSync(answers, [loading, serving].map((part) => readFileSync(part, 'utf8')).join(''));
  writeHashes(answers, out);
}

function writeHashes(answers: string, out: string): void {
  const lines = [...readAnswers(answers)].map(([name, text]) => `${sha256Of(text)}  ${name}`);
  writeFileSync(out, `${lines.join('\n')}\n`);
  console.error(`${lines.length} answers in ${answers}, their SHA-256 in ${out}`);
}
