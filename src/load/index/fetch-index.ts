import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FhfaSetting } from '../../config.ts';
import type { Outbound } from '../../egress/outbound-call.ts';
import { PlumblineError, usageError } from '../../errors.ts';
import type { OnProgress } from '../import-options.ts';

export interface FetchIndexDeps {
  readonly fhfa: FhfaSetting;
  readonly outbound: Pick<Outbound, 'request'>;
  /** Files go to its folder `fetched`. */
  readonly dataDir: string;
  readonly progress?: OnProgress;
}

/** Files of metros, best first: purchase-only indexes of the 100 largest, all-transactions indexes of about 410. */
const FILES = ['hpi_po_metro.txt', 'hpi_at_metro.csv'];

const TIMEOUT_MS = 120_000;
/** The larger file has 5 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Downloads the best of FHFA's files that has the metro. If none has it, the last, whose import lists the metros. */
export async function fetchIndex(deps: FetchIndexDeps, cbsa: string): Promise<string> {
  if (!/^\d{5}$/.test(cbsa)) {
    throw usageError(
      `--cbsa is "${cbsa}"; write the five digits of a metro or metropolitan division, such as 33340.`,
    );
  }
  const folder = join(deps.dataDir, 'fetched');
  await mkdir(folder, { recursive: true });
  let path = '';
  for (const [i, name] of FILES.entries()) {
    deps.progress?.(`Fetching ${name}`, i, FILES.length);
    const text = await download(deps, `${deps.fhfa.url}/${name}`);
    path = join(folder, name);
    await writeFile(path, text);
    if (new RegExp(`(^|[\\t,])"?${cbsa}"?[\\t,]`, 'm').test(text)) break;
  }
  deps.progress?.('Fetching indexes', FILES.length, FILES.length);
  return path;
}

async function download({ outbound }: FetchIndexDeps, url: string): Promise<string> {
  const response = await outbound.request(url, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  if (response.outcome === 'rejected') {
    throw usageError(
      `FHFA_URL may not be called: ${response.detail} A mirror in your own network needs FHFA_ALLOW_CIDRS.`,
    );
  }
  const advice = `Download ${url} in a browser, and use plumbline import index.`;
  if (response.outcome !== 'responded') {
    throw new PlumblineError(
      'unavailable',
      `The FHFA does not answer (${response.detail.replace(/\.$/, '')}). ${advice}`,
    );
  }
  const text = Buffer.from(response.body).toString('utf8');
  const isFile = response.status === 200 && !response.isTruncated && !text.trimStart().startsWith('<');
  if (isFile) return text;
  const what = response.status === 200 ? 'no file of indexes' : `status ${response.status}`;
  throw new PlumblineError(
    'unavailable',
    `The FHFA answers with ${what}: the file may have moved. ${advice} FHFA_URL sets its folder.`,
  );
}
