import assert from 'node:assert/strict';
import type { TestBrowser, TestConsole } from '../console-fixture.ts';

export const PIECE_BYTES = 1024 * 1024;

/** Uploads a file in pieces, as the pages do, and returns the upload's id. */
export async function uploadPieces(
  console: TestConsole,
  browser: TestBrowser,
  bytes: Buffer,
  members: Readonly<Record<string, string>>,
): Promise<string> {
  const { status, text, body } = await browser.ask('POST', 'uploads', {
    byte_count: bytes.length,
    ...members,
  });
  assert.equal(status, 200, text);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const piece = bytes.subarray(at, at + PIECE_BYTES);
    const sent = await sendPiece(console, browser, `${body.id}/pieces/${at / PIECE_BYTES}`, piece);
    assert.equal(sent.statusCode, 200, sent.body);
  }
  return String(body.id);
}

/** @param path the upload's id, `/pieces/` and the piece's number */
export function sendPiece({ app }: TestConsole, browser: TestBrowser, path: string, payload: Buffer) {
  return app.inject({
    method: 'POST',
    url: `/console/api/uploads/${path}`,
    headers: {
      host: 'console.test',
      origin: 'http://console.test',
      'x-csrf-token': browser.token(),
      cookie: browser.cookie(),
      'content-type': 'application/octet-stream',
    },
    payload,
  });
}
