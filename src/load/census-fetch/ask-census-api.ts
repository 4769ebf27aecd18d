import type { Clock } from '../../clock.ts';
import type { CensusApiSetting } from '../../config.ts';
import type { Outbound, OutboundAnswer } from '../../egress/outbound.ts';
import { PlumblineError } from '../../errors.ts';
import { parseAnswer } from '../census-values/open-answer.ts';
import type { CensusCall } from './plan-calls.ts';

/** What asking needs from the outside. */
export interface AskDeps {
  readonly api: CensusApiSetting;
  readonly outbound: Pick<Outbound, 'request'>;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
}

/** What the API will not answer however often it is asked: it has no such table for these areas or this year. */
export class NotOfferedError extends Error {
  override readonly name = 'NotOfferedError';
}

const TIMEOUT_MS = 120_000;
/** A state's block groups with 50 variables are 3 MB. */
const MOST_BYTES = 64 * 1024 * 1024;
const TRIES = 5;
const FIRST_WAIT_MS = 1000;
/** Asked to wait longer, an operator is better told so. */
const LONGEST_WAIT_MS = 120_000;

/** One answer or why to ask again, with the wait that the API wants. */
type Attempt = { readonly rows: string[][] } | { readonly trouble: string; readonly waitMs: number | null };

/**
 * The rows of one call, the header first. Asks again, after 1, 2, 4 and 8 s or as long as the API says, where it is
 * busy, fails or breaks off. Errors never hold the key.
 *
 * @throws NotOfferedError where the API has no such figures
 */
export async function askCensusApi(deps: AskDeps, call: CensusCall): Promise<string[][]> {
  let trouble = '';
  for (let tried = 0; tried < TRIES; tried++) {
    const attempt = await tryCall(deps, call);
    if ('rows' in attempt) return attempt.rows;
    trouble = attempt.trouble;
    const waitMs = attempt.waitMs ?? FIRST_WAIT_MS * 2 ** tried;
    if (waitMs > LONGEST_WAIT_MS) {
      trouble += ` and wants ${Math.ceil(waitMs / 1000)} s of rest`;
      break;
    }
    if (tried < TRIES - 1) await deps.sleep(waitMs);
  }
  throw new PlumblineError(
    'unavailable',
    `The Census API ${trouble}. What was fetched before is kept: run the same command again later.`,
  );
}

async function tryCall({ api, outbound, clock }: AskDeps, call: CensusCall): Promise<Attempt> {
  const key = api.key === null ? '' : `&key=${encodeURIComponent(api.key)}`;
  const answer = await outbound.request(`${api.url}${call.target}${key}`, {
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MOST_BYTES,
  });
  if (answer.outcome === 'refused') {
    throw new PlumblineError(
      'usage',
      `CENSUS_API_URL may not be called: ${answer.detail} A mirror in your own network needs CENSUS_API_ALLOW_CIDRS.`,
    );
  }
  if (answer.outcome !== 'answered')
    return { trouble: `does not answer (${answer.detail.replace(/\.$/, '')})`, waitMs: null };
  return readAnswer(answer, call, clock);
}

function readAnswer(answer: OutboundAnswer, call: CensusCall, clock: Clock): Attempt {
  const { status } = answer;
  const text = Buffer.from(answer.body).toString('utf8');
  if (status === 429 || status >= 500) {
    return { trouble: `answers ${status}`, waitMs: retryAfterMs(answer.headers['retry-after'], clock) };
  }
  if (isAboutKey(answer, text)) {
    throw new PlumblineError(
      'usage',
      'The Census API wants a valid key. Ask for one at https://api.census.gov/data/key_signup.html and set CENSUS_API_KEY.',
    );
  }
  if (status === 204) throw new NotOfferedError('nothing for such areas');
  if (status === 400 || status === 404) throw new NotOfferedError(sentenceOf(text) || `status ${status}`);
  if (status !== 200) {
    throw new PlumblineError(
      'usage',
      `CENSUS_API_URL answers with status ${status}: it is not the Census API.`,
    );
  }
  if (text.trimStart().startsWith('<')) return { trouble: 'answers with a web page', waitMs: null };
  if (answer.isCut) throw new PlumblineError('usage', `An answer is larger than ${MOST_BYTES >> 20} MB.`);
  return readRows(text, call);
}

function readRows(text: string, call: CensusCall): Attempt {
  let rows: string[][];
  try {
    rows = parseAnswer('The answer', text);
  } catch (cause) {
    if (!(cause instanceof PlumblineError)) throw cause;
    return { trouble: 'breaks off its answer', waitMs: null };
  }
  const missing = call.variables.find((variable) => !rows[0].includes(variable));
  if (missing !== undefined) throw new NotOfferedError(`the answer lacks ${missing}`);
  return { rows };
}

/** The API reports a missing or wrong key by an HTML page, or by a redirect to one. */
function isAboutKey({ status, headers }: OutboundAnswer, text: string): boolean {
  const target = String(headers.location ?? '');
  if (status >= 300 && status < 400) return /key/i.test(target);
  return /^\s*</.test(text) && /(missing|invalid|valid)[^]{0,40}key/i.test(text);
}

/** The API's own words, which are plain text on one line; of a page nothing. */
function sentenceOf(text: string): string {
  if (/^\s*</.test(text)) return '';
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}

/** Seconds, or the time at which to come again. */
function retryAfterMs(header: string | readonly string[] | undefined, clock: Clock): number | null {
  const text = String(header ?? '').trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - clock().getTime());
}
