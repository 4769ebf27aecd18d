import { parseStepLength, type StepLength } from './domain/step-length.ts';
import { usageError } from './errors.ts';

/** The values of settings, from their text. Each function throws `usage` with the name of the setting. */

export function parseDatabaseUrl(name: string, text: string): string {
  if (/^postgres(ql)?:\/\//.test(text)) return text;
  throw usageError(
    `${name} must start with postgres:// or postgresql://. Leave it out to use the embedded database.`,
  );
}

export function parseEvery(name: string, text: string): StepLength {
  const every = parseStepLength(text);
  if (every !== null) return every;
  throw usageError(`${name} is "${text}"; it must be a number of days or months such as 7d or 1mo.`);
}

/** A century at most: more is a typing error. */
export function parseDays(name: string, text: string): number {
  return parseWhole(name, text, 1, 36_525);
}

/** 32 bytes in Base64: 43 characters and one of padding. */
export function parseKey(name: string, text: string): string {
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return text;
  throw usageError(`${name} must be 32 random bytes in base64, as "openssl rand -base64 32" prints them.`);
}

/** A tile URL template: browsers replace {z}, {x} and {y} with the numbers of a tile. */
export function parseMapTilesUrl(name: string, text: string): string {
  const hasPlaces = ['{z}', '{x}', '{y}'].every((place) => text.includes(place));
  const isSafe =
    /^[\w\-.~:/?#[\]@!$&()*+,;=%{}]+$/.test(text) && !/[{}]/.test(text.replaceAll(/\{[zxy]\}/g, ''));
  // The host becomes part of the Content-Security-Policy of the console, so it must not contain a
  // placeholder.
  if (isWebAddress(text) && hasPlaces && isSafe && !new URL(text).host.includes('{')) return text;
  throw usageError(
    `${name} is "${text}"; it must be a URL of map tiles with {z}, {x} and {y} after its host, such as https://tiles.example/{z}/{x}/{y}.png.`,
  );
}

/** The message does not repeat the URL, which can contain a key. */
export function parseWebAddress(name: string, text: string): string {
  if (isWebAddress(text)) return text;
  throw usageError(`${name} must be an http:// or https:// URL such as https://service.example/search.`);
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Of a web address. The scheme may have capital letters. */
export function isPlainHttp(url: string): boolean {
  return new URL(url).protocol === 'http:';
}

/** The name on a button. */
export function parseShortText(name: string, text: string): string {
  if (text.length <= 40 && !/\p{C}/u.test(text)) return text;
  throw usageError(`${name} must be at most 40 characters in one line.`);
}

export function parseRanges(name: string, text: string): readonly string[] {
  const ranges = text
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '');
  const wrong = ranges.find((range) => !isAddressOrRange(range));
  if (wrong === undefined) return ranges;
  throw usageError(
    `${name} names "${wrong}"; write addresses or ranges such as 10.0.0.0/8, separated by commas.`,
  );
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const isV4 =
    /^((0|[1-9]\d{0,2})\.){3}(0|[1-9]\d{0,2})$/.test(address) &&
    address.split('.').every((part) => Number(part) <= 255);
  const isV6 = address.includes(':') && URL.canParse(`http://[${address}]/`);
  if ((!isV4 && !isV6) || more.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (isV4 ? 32 : 128);
}

export function parseWhole(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw usageError(`${name} is "${text}"; it must be a whole number from ${least} to ${most}.`);
}

export function parseShare(name: string, text: string): number {
  const share = Number(text);
  if (text !== '' && share >= 0 && share <= 1) return share;
  throw usageError(`${name} is "${text}"; it must be a share from 0 to 1, such as 0.1.`);
}

export function parseOneOf<const T extends string>(name: string, text: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === text);
  if (value !== undefined) return value;
  throw usageError(`${name} is "${text}"; it must be one of ${values.join(', ')}.`);
}
