import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createOutbound } from './outbound.ts';

/** A certificate for 127.0.0.1 and hook.example, created for one run; null without openssl. */
function makeCertificate(folder: string): { key: string; cert: string } | null {
  const [keyout, out] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = 'subjectAltName=IP:127.0.0.1,DNS:hook.example';
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const options = [
    '-days',
    '2',
    '-subj',
    '/CN=hook.example',
    '-addext',
    names,
    '-keyout',
    keyout,
    '-out',
    out,
  ];
  try {
    execFileSync('openssl', ['req', '-x509', ...curve, ...options], { stdio: 'ignore' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  return { key: readFileSync(keyout, 'utf8'), cert: readFileSync(out, 'utf8') };
}

test('https connects only to hosts with a trusted certificate for their name', async (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-tls-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const pair = makeCertificate(folder);
  if (pair === null) return t.skip('openssl is not installed, so no certificate could be created');
  const server = createServer(pair, (request, response) => response.end(request.headers.host));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const outbound = createOutbound({
    allowCidrs: ['127.0.0.0/8'],
    allowHttp: false,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const outcomeOf = async (host: string): Promise<string> => {
    const answer = await outbound.request(`https://${host}:${address.port}/`);
    return answer.outcome === 'responded' ? Buffer.from(answer.body).toString() : answer.outcome;
  };
  assert.equal(await outcomeOf('hook.example'), 'unreachable', 'not trusted');
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, pair.cert]);
  t.after(() => setDefaultCACertificates(trusted));
  assert.equal(await outcomeOf('hook.example'), `hook.example:${address.port}`);
  assert.equal(await outcomeOf('127.0.0.1'), `127.0.0.1:${address.port}`);
  assert.equal(await outcomeOf('other.example'), 'unreachable', "another's certificate");
});
