import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PNG } from 'pngjs';
import type { Logo } from '../domain/report.ts';
import { LOGO_LIMITS, readLogo } from './read-logo.ts';
import { renderHtml } from '../reports/render-html.ts';
import { renderPdf } from '../reports/render-pdf.ts';

function png(width: number, height: number): Buffer {
  const image = new PNG({ width, height });
  image.data.forEach((_, at) => (image.data[at] = (at * 37) % 256));
  return PNG.sync.write(image);
}

/** A gray pixel. */
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=',
  'base64',
);

function documentWith(logo: Logo) {
  const masthead = { account: 'Acme', logo, kind: 'Valuation report' };
  return { title: 'A report', createdAt: 0, masthead, blocks: [], footer: '' };
}

test('every logo that is accepted is drawn in a PDF and in a page', async () => {
  for (const [bytes, type] of [
    [png(300, 80), 'image/png'],
    [JPEG, 'image/jpeg'],
  ] as const) {
    const logo = readLogo(bytes);
    assert.equal(logo.type, type);
    const pdf = Buffer.from(await renderPdf(documentWith(logo), 'letter')).toString('latin1');
    assert.match(pdf, /\/Subtype \/Image/);
    assert.ok(renderHtml(documentWith(logo)).includes(`src="data:${type};base64,${logo.base64}"`));
  }
});

test('a damaged PNG at any byte is rejected or drawn, and never ends the process', async () => {
  const whole = png(12, 9);
  for (let at = 8; at < whole.length; at += 3) {
    const damaged = Buffer.from(whole);
    damaged[at] ^= 0x55;
    let logo: Logo;
    try {
      logo = readLogo(damaged);
    } catch (error) {
      assert.match(String(error), /damaged|pixels/);
      continue;
    }
    assert.ok((await renderPdf(documentWith(logo), 'a4')).length > 0);
  }
  assert.throws(() => readLogo(whole.subarray(0, 40)), /damaged/);
});

test('files that are too large, too wide, or no images are rejected with the reason', () => {
  const wide = png(1, 1);
  wide.writeUInt32BE(50_000, 16);
  assert.throws(() => readLogo(wide), /50000 × 1 pixels; a logo has at most 2000 × 2000/);
  assert.throws(() => readLogo(Buffer.alloc(LOGO_LIMITS.bytes + 1)), /257 KB; a logo has at most 256 KB/);
  for (const bytes of [Buffer.alloc(0), Buffer.from('<svg onload="alert(1)"/>'), Buffer.from('GIF89a')])
    assert.throws(() => readLogo(bytes), /neither a PNG nor a JPEG/);
  assert.throws(() => readLogo(JPEG.subarray(0, 20)), /damaged/);
});
