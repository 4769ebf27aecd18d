const NUMBER = String.raw`-?\d{1,3}\.\d+`;
/** `(43.1, -87.9)`, `POINT (-87.9 43.1)`, or GeoJSON, perhaps after an address. */
const POINT = new RegExp(String.raw`^([^]*[(\[]\s*)?(${NUMBER})\s*[,\s]\s*(${NUMBER})[\s)\]}]*$`);
const LONGITUDE_FIRST = /point\s*\(|coordinates/i;
/** `43° 3' 6" N`, `43:03:06`, `N43.0517` or `43.0517°`. */
const DEGREES =
  /^([NSEW])?\s*(-)?\s*(\d{1,3}(?:\.\d+)?)(?:\s*[°ºd:\s]\s*(\d{1,2}(?:\.\d+)?)(?:\s*['′’m:\s]\s*(\d{1,2}(?:\.\d+)?))?)?[\s°ºd'′’m"″”s]*([NSEW])?$/;
/** Longer texts are not coordinates. */
const MAX_LENGTH = 200;
/** About a centimeter. */
const DECIMALS = 7;

/** Whether a text is a point: both coordinates. */
export function isPoint(text: string): boolean {
  return text.length <= MAX_LENGTH && POINT.test(text);
}

/** A coordinate in decimal degrees, of a point in one cell or of degrees with marks; null for other text. */
export function readCoordinate(text: string, axis: 'latitude' | 'longitude'): string | null {
  if (text.length > MAX_LENGTH) return null;
  const bare = text.trim().replace('−', '-');
  const [, before = '', first, second] = POINT.exec(bare) ?? [];
  if (first !== undefined) return LONGITUDE_FIRST.test(before) === (axis === 'longitude') ? first : second;
  const [, hemisphere, minus, degrees, minutes = '0', seconds = '0', after = hemisphere] =
    DEGREES.exec(bare) ?? [];
  if (degrees === undefined || Number(minutes) >= 60 || Number(seconds) >= 60) return null;
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  const isNegative = minus !== undefined || after === 'S' || after === 'W';
  return String(Number((isNegative ? -value : value).toFixed(DECIMALS)));
}
