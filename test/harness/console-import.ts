import { importAndTrain } from '../../src/cli/import-upload.ts';
import { openModelJobRunner } from '../../src/jobs/run-model-jobs.ts';
import { createLog } from '../../src/log.ts';
import { linesInto } from '../api-fixture.ts';
import { TEST_CONFIG } from '../app-config.ts';
import { openBrowser, type TestBrowser, type TestConsole } from '../console-fixture.ts';
import { uploadPieces } from './console-upload.ts';

const LOG = createLog('silent', linesInto([]));

export function uploadImport(console: TestConsole, browser: TestBrowser, bytes: Buffer, name = 'county.csv') {
  return uploadPieces(console, browser, bytes, { name, purpose: 'import' });
}

export async function signedIn(console: TestConsole, name = 'ada'): Promise<TestBrowser> {
  await console.addUser(name, 'administrator');
  const browser = openBrowser(console);
  await browser.signIn(name);
  return browser;
}

/** Runs the queued import in this process, as a `work` process runs it in a process of its own. */
export async function runImport({ store, people }: TestConsole, browser: TestBrowser, id: string) {
  const { clock } = people;
  const runner = openModelJobRunner({
    store,
    clock,
    log: LOG,
    leaseMs: 60_000,
    runCommand: ({ options }) => ({
      ended: importAndTrain(store, { dataDir: TEST_CONFIG.dataDir, threads: 1 }, options[1], () => {}).then(
        (result) => ({ json: JSON.stringify(result) }),
      ),
      progress: () => null,
      stop: () => {},
    }),
  });
  runner.start();
  for (;;) {
    const { body } = await browser.ask('GET', `imports/${id}`);
    if (body.status === 'complete' || body.status === 'failed') {
      await runner.close();
      return body;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
