import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeConfig, readConfig, SETTINGS } from './config.ts';
import { PlumblineError } from './errors.ts';

test('an empty environment gives the defaults of the settings table', () => {
  const config = readConfig({});
  assert.equal(config.port, 8080);
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.databaseUrl, null);
  assert.equal(describeConfig(config).length, SETTINGS.length);
});

test('the error names the invalid setting', () => {
  const bad: [string, string][] = [
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['MAX_CONNECTIONS', '0'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://x'],
    ['PLUMBLINE_THREADS', '0'],
    ['MARKET_MEMORY', 'much'],
    ['CENSUS_API_URL', 'api.census.gov'],
    ['CENSUS_API_ALLOW_CIDRS', 'my-mirror'],
    ['FHFA_URL', 'fhfa.gov'],
    ['TRUSTED_PROXIES', '127.0.0.1, my-proxy'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['CALLBACK_ALLOW_CIDRS', '10.0.0.0/8;192.168.0.0/16'],
    ['CALLBACK_ALLOW_CIDRS', '010.0.0.1'],
    ['GEOCODER_ALLOW_CIDRS', 'my-network'],
    ['GEOCODER_URL', 'geocoder.example'],
    ['GEOCODER_URL', 'ftp://geocoder.example/'],
    ['GEOCODER_KIND', 'google'],
    ['WEBHOOK_KEY', 'too-short'],
    ['MAP_TILES_URL', 'https://tiles.example/'],
    ['MAP_TILES_URL', 'ftp://tiles.example/{z}/{x}/{y}.png'],
    ['MAP_TILES_URL', 'https://{s}.tiles.example/{z}/{x}/{y}.png'],
    ['MAP_TILES_URL', 'https://tiles.example; script-src */{z}/{x}/{y}.png'],
    ['WEBHOOK_KEY', `${'A'.repeat(44)}`],
    ['OIDC_ISSUER', 'login.example'],
    ['OIDC_ISSUER', 'http://login.example'],
    ['OIDC_ISSUER', 'https://login.example'],
    ['OIDC_NAME', 'x'.repeat(41)],
    ['OIDC_ALLOW_CIDRS', 'my-network'],
  ];
  for (const [name, value] of bad) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) => error instanceof PlumblineError && error.code === 'usage' && error.message.includes(name),
    );
  }
});

test('proxies are IPv4 or IPv6 addresses or ranges', () => {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '127.0.0.1, ::1,10.0.0.0/8,2001:db8::/32,' });
  assert.deepEqual(trustedProxies, ['127.0.0.1', '::1', '10.0.0.0/8', '2001:db8::/32']);
});

test('a geocoder is used only if its URL is set', () => {
  assert.equal(readConfig({ GEOCODER_KIND: 'census' }).geocoder, null);
  const url = 'https://geocoder.example/search?key=sesame';
  const config = readConfig({ GEOCODER_URL: url, GEOCODER_ALLOW_CIDRS: '10.0.0.0/8' });
  assert.deepEqual(config.geocoder, { url, kind: 'nominatim', allowCidrs: ['10.0.0.0/8'] });
  const printed = describeConfig(config);
  assert.ok(printed.includes('GEOCODER_URL=(set)') && printed.includes('GEOCODER_KIND=nominatim'));
});

test('secrets are never printed at start', () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://u:hunter2@db/x',
    METRICS_TOKEN: 'opensesame',
    CENSUS_API_KEY: 'abracadabra',
    WEBHOOK_KEY: `${'hunter4'.padEnd(43, 'A')}=`,
  });
  const printed = describeConfig(config).join('\n');
  assert.doesNotMatch(printed, /hunter2|opensesame|abracadabra/);
  assert.match(printed, /DATABASE_URL=\(set\)/);
});

test('map tiles are loaded only if their URL template is set', () => {
  assert.equal(readConfig({}).mapTilesUrl, null);
  const url = 'https://tiles.example:8443/osm/{z}/{x}/{y}@2x.png?style=plain';
  assert.equal(readConfig({ MAP_TILES_URL: url }).mapTilesUrl, url);
});

test('an identity provider needs its client id and the public URL, and plain HTTP only in allowed ranges', () => {
  const url = { PUBLIC_URL: 'https://avm.example/' };
  const base = { OIDC_ISSUER: 'https://login.example/realm', OIDC_CLIENT_ID: 'plumbline' };
  assert.deepEqual(readConfig({ ...base, ...url }).oidc, {
    issuer: 'https://login.example/realm',
    clientId: 'plumbline',
    clientSecret: null,
    name: 'SSO',
    allowCidrs: [],
    publicUrl: 'https://avm.example',
  });
  assert.throws(() => readConfig(base), /PUBLIC_URL/);
  assert.throws(() => readConfig({ ...base, ...url, OIDC_CLIENT_ID: '' }), /OIDC_CLIENT_ID/);
  const plain = { ...base, ...url, OIDC_ISSUER: 'http://10.0.0.9:8081', OIDC_ALLOW_CIDRS: '10.0.0.0/8' };
  assert.equal(readConfig(plain).oidc?.issuer, 'http://10.0.0.9:8081');
  const printed = describeConfig(readConfig({ ...base, ...url, OIDC_CLIENT_SECRET: 'sesame' }));
  assert.ok(printed.includes('OIDC_CLIENT_SECRET=(set)'));
});

test('object storage needs a bucket and a key, and plain HTTP only in allowed ranges', () => {
  const key = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'sesame' };
  const base = { OBJECT_STORE: 's3://county-values/plumbline', ...key };
  const { prefix, endpoint, region } = readConfig(base).objectStore ?? {};
  assert.deepEqual([prefix, endpoint, region], ['plumbline/', null, 'us-east-1']);
  assert.throws(() => readConfig({ ...base, OBJECT_STORE: 'https://county-values' }), /s3:\/\/BUCKET/);
  assert.throws(() => readConfig({ OBJECT_STORE: base.OBJECT_STORE }), /AWS_ACCESS_KEY_ID/);
  for (const plain of ['http://minio.example', 'HTTP://minio.example']) {
    const settings = { ...base, AWS_ENDPOINT_URL_S3: plain };
    assert.throws(() => readConfig(settings), /OBJECT_STORE_ALLOW_CIDRS/, plain);
    assert.equal(
      readConfig({ ...settings, OBJECT_STORE_ALLOW_CIDRS: '10.0.0.0/8' }).objectStore?.endpoint,
      plain,
    );
  }
  assert.ok(!describeConfig(readConfig(base)).some((line) => line.includes('sesame')));
});
