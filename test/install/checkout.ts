import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkPages, copyContext, runExample, withInstalled } from './installed.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-checkout-'));
after(() => rmSync(folder, { recursive: true }));
const checkout = join(folder, 'checkout');

test('a checkout installed with npm ci --omit=dev serves everything but the console, and says how to get it', async () => {
  copyContext(checkout);
  const printed = runExample('npm ci --omit=dev', checkout);
  assert.match(printed, /The console was not built/);
  assert.ok(!existsSync(join(checkout, 'node_modules/.bin/node')));
  const program = [join(checkout, 'bin/plumbline.js'), 'serve'];
  await withInstalled({ dataDir: join(folder, 'data'), program }, async (url) => {
    await checkPages(url, { hasConsole: false });
    assert.match(await (await fetch(`${url}/console`)).text(), /The console is not built/);
  });
});
