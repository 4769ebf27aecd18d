import assert from 'node:assert/strict';
import { createOutbound } from '../../../src/egress/outbound.ts';
import { HOSTILE_URLS } from './hostile-urls.ts';
import { testNetwork } from './network.ts';

/**
 * Requests every URL of the hostile corpus, and checks it as at submit. No address may be connected to.
 * Returns the number of URLs.
 */
export async function assertNoneConnected(): Promise<number> {
  const urls = new Set(Object.values(HOSTILE_URLS).flat());
  const network = testNetwork();
  const outbound = createOutbound({ allowCidrs: [], allowHttp: true, ...network });
  for (const url of urls) {
    const answer = await outbound.request(url);
    assert.equal(answer.outcome, 'rejected', url);
    assert.match((await outbound.rejectionOf(url)) ?? assert.fail(`${url} would be accepted`), /^\S.*\.$/s);
  }
  assert.deepEqual(network.connected, []);
  return urls.size;
}

/**
 * Calls a name whose DNS answer changes with each lookup (DNS rebinding), starting with the public address in
 * half of the calls. Only the public address may be connected to.
 */
export async function assertRebindingHarmless(
  calls: number,
  onCall: (made: number) => void = () => {},
): Promise<void> {
  const [open, closed] = ['93.184.215.14', '169.254.169.254'];
  const half = calls / 2;
  for (const first of [open, closed]) {
    let turn = first === open ? 0 : 1;
    const network = testNetwork(() => [turn++ % 2 === 0 ? open : closed]);
    const outbound = createOutbound({ allowCidrs: [], allowHttp: true, ...network });
    for (let i = 0; i < half; i++) {
      const looked = network.asked.length;
      await outbound.request('https://rebind.example/');
      assert.equal(network.asked.length, looked + 1, 'one lookup per call');
      onCall((first === open ? 0 : half) + i + 1);
    }
    assert.deepEqual([...new Set(network.connected)], [open]);
    assert.equal(network.connected.length, half / 2);
  }
}
