import { Secret, TOTP } from 'otpauth';
import { encode } from 'uqr';
import type { RandomBytes } from './api-key.ts';

/** RFC 4226, section 4: 160 bits, as long as the digest of SHA-1. */
const SECRET_BYTES = 20;
/** What every authenticator app supports; some ignore other values in the link. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 6238, section 5.2: one step for the delay of entering a code and for clocks that differ. */
const WINDOW = 1;
const CODE = /^\d{6}$/;

/** A new secret in base32, as it is typed into an app that cannot scan. */
export function newTotpSecret(randomBytes: RandomBytes): string {
  return new Secret({ buffer: Uint8Array.from(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** The `otpauth:` link that authenticator apps read. */
export function totpUri(secret: string, userName: string): string {
  return new TOTP({ ...FORM, issuer: 'Plumbline', label: userName, secret }).toString();
}

/** The code of a secret at a time (ms). */
export function totpCode(secret: string, atMs: number): string {
  return new TOTP({ ...FORM, secret }).generate({ timestamp: atMs });
}

/**
 * The time step of a code. Null if the code is wrong, or if it is of the step `after` or an earlier one: RFC 6238
 * allows each code once.
 */
export function acceptedStep(secret: string, code: string, atMs: number, after: number): number | null {
  if (!CODE.test(code)) return null;
  const delta = new TOTP({ ...FORM, secret }).validate({ token: code, timestamp: atMs, window: WINDOW });
  if (delta === null) return null;
  const step = TOTP.counter({ period: FORM.period, timestamp: atMs }) + delta;
  return step > after ? step : null;
}

/** A QR code as the data URL of an SVG, black on white in every theme, with the quiet zone that scanners need. */
export function qrDataUrl(text: string): string {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${size}" fill="#fff"/><path d="${path.join('')}"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
