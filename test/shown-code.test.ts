import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serveSampleCounty, type SampleService } from './sample-service.ts';
import { runShownTypeScript, shownIn } from './shown-code.ts';

describe('what the documents show works as it stands there', () => {
  let service: SampleService;

  before(async () => {
    service = await serveSampleCounty();
    service.working.start();
  });
  after(() => service.close());

  for (const shown of shownIn('client/README.md').filter(({ language }) => language === 'ts')) {
    test(`${shown.path}:${shown.line}`, async () => {
      const printed = await runShownTypeScript(shown, { PLUMBLINE: service.url, PLUMBLINE_KEY: service.key });
      assert.notEqual(printed, '');
    });
  }
});
