import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { createOutbound } from '../../egress/outbound.ts';
import { fetchIndex, type FetchIndexDeps } from './fetch-index.ts';

const FILES: Readonly<Record<string, string>> = {
  '/hpi/hpi_po_metro.txt':
    'cbsa\tmetro_name\tyr\tqtr\tindex_nsa\tindex_sa\n33340\t"Milwaukee, WI"\t2025\t1\t410\t408\n',
  '/hpi/hpi_at_metro.csv': '"Abilene, TX",10180,2025,1,300.00,( 2.48)\n',
  '/page/hpi_po_metro.txt': '<!DOCTYPE html><p>Moved</p>',
};

test('the purchase-only index is downloaded if it has the metro, otherwise the all-transactions index', async (t) => {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    calls.push(path);
    response.writeHead(path in FILES ? 200 : 404).end(FILES[path] ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-fetch-'));
  t.after(() => {
    server.close();
    rmSync(dataDir, { recursive: true });
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const depsOf = (folder: string, allowCidrs = ['127.0.0.0/8']): FetchIndexDeps => ({
    fhfa: { url: `http://127.0.0.1:${address.port}/${folder}`, allowCidrs },
    outbound: createOutbound({ allowCidrs, allowHttp: true }),
    dataDir,
  });
  const fetched = async (cbsa: string) => basename(await fetchIndex(depsOf('hpi'), cbsa));
  assert.equal(await fetched('33340'), 'hpi_po_metro.txt');
  assert.equal(
    readFileSync(join(dataDir, 'fetched/hpi_po_metro.txt'), 'utf8'),
    FILES['/hpi/hpi_po_metro.txt'],
  );
  assert.deepEqual(calls, ['/hpi/hpi_po_metro.txt']);
  assert.equal(await fetched('10180'), 'hpi_at_metro.csv');
  assert.equal(await fetched('99999'), 'hpi_at_metro.csv', 'its import lists the metros');

  const from = (folder: string, allowCidrs?: string[]) => fetchIndex(depsOf(folder, allowCidrs), '33340');
  await assert.rejects(from('gone'), /status 404: the file may have moved\. Download http/);
  await assert.rejects(from('page'), /no file of indexes/);
  await assert.rejects(from('hpi', []), /FHFA_URL may not be called: .*FHFA_ALLOW_CIDRS/);
  await assert.rejects(fetchIndex(depsOf('hpi'), 'Milwaukee'), /five digits/);
});
