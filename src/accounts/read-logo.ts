import PdfKit from 'pdfkit';
import { PNG } from 'pngjs';
import type { Logo } from '../domain/report.ts';
import { PlumblineError } from '../errors.ts';

/** A logo is drawn 120 × 32 points, and every report contains it. */
export const LOGO_LIMITS = { bytes: 256 * 1024, pixelsPerSide: 2000 } as const;

const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG_START = Buffer.from('ffd8ff', 'hex');

/**
 * The logo in the bytes of a PNG or JPEG file, checked so that no report fails because of it. A PNG is written again
 * as 8 bits per channel, because the PDF library draws no interlaced and no damaged one.
 *
 * @throws PlumblineError `bad_request`
 */
export function readLogo(bytes: Buffer): Logo {
  if (bytes.length > LOGO_LIMITS.bytes) {
    const kilobytes = Math.ceil(bytes.length / 1024);
    throw wrong(`The file has ${kilobytes} KB; a logo has at most ${LOGO_LIMITS.bytes / 1024} KB.`);
  }
  if (startsWith(bytes, PNG_START)) return logoOf('image/png', readPng(bytes));
  if (startsWith(bytes, JPEG_START)) return logoOf('image/jpeg', checkedJpeg(bytes));
  throw wrong('The file is neither a PNG nor a JPEG image.');
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}

function logoOf(type: Logo['type'], bytes: Buffer): Logo {
  return { type, base64: bytes.toString('base64') };
}

function readPng(bytes: Buffer): Buffer {
  // The header has the size at a fixed place. A small file may expand to gigabytes.
  if (bytes.length >= 24) checkSize(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  try {
    return PNG.sync.write(PNG.sync.read(bytes));
  } catch {
    throw wrong('The PNG image is damaged.');
  }
}

/** Its pixels are not decoded here or in a PDF, so their number does no harm. */
function checkedJpeg(bytes: Buffer): Buffer {
  try {
    new PdfKit().image(bytes, 0, 0);
    return bytes;
  } catch {
    throw wrong('The JPEG image is damaged.');
  }
}

function checkSize(width: number, height: number): void {
  const most = LOGO_LIMITS.pixelsPerSide;
  if (width >= 1 && height >= 1 && width <= most && height <= most) return;
  throw wrong(`The image has ${width} × ${height} pixels; a logo has at most ${most} × ${most}.`);
}

function wrong(message: string): PlumblineError {
  return new PlumblineError('bad_request', message);
}
