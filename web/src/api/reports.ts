import type { Static } from 'typebox';
import type { PAPERS, REPORT_FORMATS, REPORT_VERSIONS } from '../../../src/domain/report.ts';
import type {
  CreatedShareBody,
  PreparationMembers,
  ShareBody,
  SharesBody,
} from '../../../src/schemas/report.ts';
import { get, post, remove, urlOf } from './request.ts';

export type ReportVersion = (typeof REPORT_VERSIONS)[number];
type ReportFormat = (typeof REPORT_FORMATS)[number];
export type Paper = (typeof PAPERS)[number];
/** Who prepared a report, and for whom. */
export type Preparation = PreparationMembers;
export type Share = Static<typeof ShareBody>;
export type CreatedShare = Static<typeof CreatedShareBody>;

/** Opened by the browser itself, with the cookie of the session. */
export function reportUrl(
  valuationId: string,
  options: Preparation & {
    readonly version: ReportVersion;
    readonly format: ReportFormat;
    readonly paper: Paper;
  },
): string {
  return urlOf(`/valuations/${valuationId}/report`, options);
}

/** Name and license of the signed-in user, which the server keeps for the next report. */
export const readPreparer = (signal: AbortSignal) => get<Preparation>('/report-preparer', { signal });
export const setPreparer = ({ prepared_by, license_number, license_state }: Preparation) =>
  post<Preparation>('/report-preparer', { body: { prepared_by, license_number, license_state } });

export const createShare = (
  valuationId: string,
  terms: Preparation & { version: ReportVersion; expires_in_days: number },
) => post<CreatedShare>(`/valuations/${valuationId}/shares`, { body: terms });

export const listShares = async (valuationId: string, signal: AbortSignal) =>
  (await get<Static<typeof SharesBody>>(`/valuations/${valuationId}/shares`, { signal })).shares;

export const revokeShare = (valuationId: string, shareId: string) =>
  remove<Share>(`/valuations/${valuationId}/shares/${shareId}`);
