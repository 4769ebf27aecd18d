import { after, afterEach, before, test } from 'node:test';
import { engines } from '../harness/store/engines.ts';
import { SAMPLE_WITH_RENTS } from '../service-fixture.ts';
import { testBatchCosts } from './batch-costs-tests.ts';
import { testBatches } from './batches-tests.ts';
import { testChallenge } from './challenge-tests.ts';
import { findChromium } from './chromium.ts';
import { testDocs } from './docs-tests.ts';
import { testDeliveries } from './deliveries-tests.ts';
import { testImportOfFiles } from './import-files-tests.ts';
import { testImport } from './import-tests.ts';
import { testKeys } from './keys-tests.ts';
import { testMarkets } from './markets-tests.ts';
import { openConsole, type OpenConsole } from './open-console.ts';
import { testSecondFactor } from './second-factor-tests.ts';
import { testProviderSignIn } from './provider-sign-in-tests.ts';
import { testTrends } from './trends-tests.ts';
import { testUsers } from './users-tests.ts';
import { testPlace } from './place-tests.ts';
import { testPortfolios } from './portfolio-tests.ts';
import { testRepeatedHomes } from './repeated-homes-tests.ts';
import { testSaved } from './saved-tests.ts';
import { testShell, testStates } from './shell-tests.ts';
import { testSearch } from './search-tests.ts';
import { testValue } from './value-tests.ts';

/**
 * Tests the console in a browser on the sample county. All pages share one server and one browser, because
 * starting them takes longer than most tests. Each page has its own file of tests in this folder, called from
 * here.
 */
const found = findChromium();

if ('missing' in found) test('the console in a browser', { skip: found.missing }, () => {});
else testConsole(found.path);

function testConsole(chromiumPath: string): void {
  let opened: OpenConsole | null = null;
  let drop = async (): Promise<void> => {};
  before(async () => {
    const [sqlite] = engines;
    const database = await sqlite.copyOf(SAMPLE_WITH_RENTS);
    drop = database.drop;
    opened = await openConsole(chromiumPath, database.settings);
  });
  after(async () => {
    await opened?.close();
    await drop();
  });
  const underTest = (): OpenConsole => {
    if (!opened) throw new Error('the console could not be opened');
    return opened;
  };
  afterEach(async (t) => {
    if ('passed' in t && !t.passed) for (const text of await underTest().openTexts()) t.diagnostic(text);
  });
  const testRevokedKey = testKeys(underTest);
  testShell(underTest);
  testDocs(underTest);
  testBatches(underTest);
  testBatchCosts(underTest);
  testPortfolios(underTest);
  testRepeatedHomes(underTest);
  testChallenge(underTest);
  testValue(underTest);
  testSearch(underTest);
  testSaved(underTest);
  testPlace(underTest);
  testMarkets(underTest);
  testTrends(underTest);
  testDeliveries(underTest);
  testUsers(underTest);
  testSecondFactor(underTest);
  testProviderSignIn(underTest);
  testImport(underTest);
  testImportOfFiles(underTest);
  testRevokedKey();
  testStates(underTest);
}
