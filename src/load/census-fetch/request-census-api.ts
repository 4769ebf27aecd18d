import type { Clock } from '../../clock.ts';
import type { CensusApiSetting } from '../../config.ts';
import type { Outbound, OutboundAnswer } from '../../egress/outbound.ts';
import { PlumblineError } from '../../errors.ts';
import { parseResponse } from '../census-values/census-file.ts';

export interface CensusApiDeps {
  readonly api: CensusApiSetting;
  readonly outbound: Pick<Outbound, 'request'>;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface CensusCall {
  /** Path and query below the API's URL, without the key. */
  readonly target: string;
  readonly variables: readonly string[];
}

/** The API has no such table for these areas or this year, however often it is called. */
export class NotOfferedError extends Error {
  override readonly name = 'NotOfferedError';
}

const TIMEOUT_MS = 120_000;
/** A state's block groups with 50 variables are 3 MB. */
const MOST_BYTES = 64 * 1024 * 1024;
const TRIES = 5;
const FIRST_WAIT_MS = 1000;
/** For a longer wait the command ends: the operator can run it again. */
const LONGEST_WAIT_MS = 120_000;

/** Rows, or why to try again, with the wait that the API wants. */
type Attempt = { readonly rows: string[][] } | { readonly trouble: string; readonly waitMs: number | null };

/**
 * The rows of one call, the header first. If the API is busy, fails or ends its response early, the call is repeated
 * after 1, 2, 4 and 8 s, or when the API says. Errors never contain the key.
 *
 * @throws NotOfferedError if the API has no such figures
 */
export async function requestCensusApi(deps: CensusApiDeps, call: CensusCall): Promise<string[][]> {
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

function usage(detail: string): PlumblineError {
  return new PlumblineError('usage', detail);
}

async function tryCall({ api, outbound, clock }: CensusApiDeps, call: CensusCall): Promise<Attempt> {
  const key = api.key === null ? '' : `&key=${encodeURIComponent(api.key)}`;
  const response = await outbound.request(`${api.url}${call.target}${key}`, {
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MOST_BYTES,
  });
  if (response.outcome === 'answered') return readResponse(response, call, clock);
  const { outcome, detail } = response;
  if (outcome !== 'refused') {
    return { trouble: `does not answer (${detail.replace(/\.$/, '')})`, waitMs: null };
  }
  throw usage(
    `CENSUS_API_URL may not be called: ${detail} A mirror in your own network needs CENSUS_API_ALLOW_CIDRS.`,
  );
}

function readResponse(response: OutboundAnswer, { variables }: CensusCall, clock: Clock): Attempt {
  const { status, isCut } = response;
  const text = Buffer.from(response.body).toString('utf8');
  if (status === 429 || status >= 500) {
    return { trouble: `answers ${status}`, waitMs: retryAfterMs(response.headers['retry-after'], clock) };
  }
  if (isAboutKey(response, text)) {
    throw usage(
      'The Census API wants a valid key. Ask for one at https://api.census.gov/data/key_signup.html and set CENSUS_API_KEY.',
    );
  }
  if (status === 204) throw new NotOfferedError('nothing for such areas');
  if (status === 400 || status === 404) throw new NotOfferedError(sentenceOf(text) || `status ${status}`);
  if (status !== 200) throw usage(`CENSUS_API_URL answers with status ${status}: it is not the Census API.`);
  if (text.trimStart().startsWith('<')) return { trouble: 'answers with a web page', waitMs: null };
  if (isCut) throw usage(`A response is larger than ${MOST_BYTES >> 20} MB.`);
  let rows: string[][];
  try {
    rows = parseResponse('The response', text);
  } catch (cause) {
    if (!(cause instanceof PlumblineError)) throw cause;
    return { trouble: 'ends its response early', waitMs: null };
  }
  const missing = variables.find((variable) => !rows[0].includes(variable));
  if (missing !== undefined) throw new NotOfferedError(`the response lacks ${missing}`);
  return { rows };
}

/** The API reports a missing or wrong key by an HTML page, or by a redirect to one. */
function isAboutKey({ status, headers }: OutboundAnswer, text: string): boolean {
  if (status >= 300 && status < 400) return /key/i.test(String(headers.location ?? ''));
  return /^\s*</.test(text) && /(missing|invalid|valid)[^]{0,40}key/i.test(text);
}

/** The API's own words, which are plain text; '' for a web page. */
function sentenceOf(text: string): string {
  return /^\s*</.test(text) ? '' : text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}

/** The header has seconds or a time. */
function retryAfterMs(header: string | readonly string[] | undefined, clock: Clock): number | null {
  const text = String(header ?? '').trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - clock().getTime());
}
