import type { FastifyReply, FastifyRequest } from 'fastify';
import { createShare, endShare, findActiveShare, recordOpening } from '../../accounts/report-shares.ts';
import { instant, instantOrNull } from '../../domain/instant.ts';
import type { Preparation, ReportFormat, ReportOptions } from '../../domain/report.ts';
import { PlumblineError } from '../../errors.ts';
import { recordedValuation } from '../../operations/past/past-valuations.ts';
import { requireVersion, storedValuation } from '../../operations/report/report-request.ts';
import { valuationReport } from '../../operations/report/valuation-report.ts';
import { verificationPage } from '../../operations/report/verification.ts';
import { renderHtml, renderNotice, REPORT_PAGE_POLICY } from '../../reports/render-html.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import {
  CreatedShareBody,
  type PreparationMembers,
  ReportRequestBody,
  SHARE_DAYS,
  ShareBody,
  SharedReportRequestBody,
  ShareRequestBody,
  SharesBody,
} from '../../schemas/report.ts';
import { listShares } from '../../store/report-shares.ts';
import type { ReportShare } from '../../store/tables/accounts.ts';
import { countFailure } from '../admit.ts';
import { freeDelete, freeGet, freePost } from '../endpoint.ts';
import { createRequestReader, readRequest } from '../request/read-request.ts';
import { admittedCaller, callerOf, idParameter, pathParameter, prefers } from '../request-context.ts';
import type { ApiDeps, Handle, Operation } from '../route.ts';
import { valuationIdOf } from './valuations.ts';

const TYPES: Readonly<Record<ReportFormat, string>> = {
  html: 'text/html',
  pdf: 'application/pdf',
  markdown: 'text/markdown',
};
const EXTENSIONS: Readonly<Record<ReportFormat, string>> = { html: 'html', pdf: 'pdf', markdown: 'md' };

const reportRequest = createRequestReader({
  schema: ReportRequestBody,
  build: ({ version, format, paper, ...preparation }) => ({
    version: version ?? 'appraiser',
    format: format ?? null,
    paper: paper ?? 'letter',
    preparation: preparationOf(preparation),
  }),
});

const sharedReportRequest = createRequestReader({
  schema: SharedReportRequestBody,
  build: ({ format, paper }) => ({ format: format ?? null, paper: paper ?? 'letter' }),
});

const shareRequest = createRequestReader({
  schema: ShareRequestBody,
  build: ({ version, expires_in_days: days, ...preparation }) => ({
    version: version ?? 'owner',
    days: days ?? SHARE_DAYS.default,
    preparation: preparationOf(preparation),
  }),
});

/** Blank texts count as not given. */
export function preparationOf(given: PreparationMembers): Preparation {
  const [preparedBy, licenseNumber] = [given.prepared_by?.trim(), given.license_number?.trim()];
  const [preparedFor, fileNumber] = [given.prepared_for?.trim(), given.file_number?.trim()];
  return {
    ...(preparedBy && { preparedBy }),
    ...(licenseNumber && { licenseNumber }),
    ...(given.license_state && { licenseState: given.license_state }),
    ...(preparedFor && { preparedFor }),
    ...(fileNumber && { fileNumber }),
  };
}

const getReport: Handle = async (deps, request, reply) => {
  const valuationId = valuationIdOf(request);
  const { format, ...options } = readRequest(deps, request, reply, reportRequest);
  return sendReport(deps, request, reply, {
    valuationId,
    accountId: callerOf(request).accountId,
    options: { ...options, format: format ?? preferredFormat(request) },
  });
};

function preferredFormat(request: FastifyRequest): ReportFormat {
  const other = (['pdf', 'markdown'] as const).find((format) => prefers(request, TYPES[format], TYPES.html));
  return other ?? 'html';
}

async function sendReport(
  { operations, config }: ApiDeps,
  _request: FastifyRequest,
  reply: FastifyReply,
  wanted: { readonly valuationId: string; readonly accountId: string; readonly options: ReportOptions },
): Promise<FastifyReply> {
  const { valuationId, accountId, options } = wanted;
  const report = await valuationReport(operations, valuationId, { accountId }, options, config.publicUrl);
  const { format } = options;
  return reply
    .header('vary', 'accept')
    .header('content-security-policy', REPORT_PAGE_POLICY)
    .header('content-disposition', `inline; filename="valuation-${valuationId}.${EXTENSIONS[format]}"`)
    .type(format === 'pdf' ? TYPES.pdf : `${TYPES[format]}; charset=utf-8`)
    .send(report);
}

function shareMembers(share: ReportShare): ResponseOf<typeof ShareBody> {
  const { shareId, valuationId, version, createdAt, expiresAt, revokedAt, opened, lastOpenedAt } = share;
  return {
    shareId,
    valuationId,
    version,
    createdAt: instant(createdAt),
    expiresAt: instant(expiresAt),
    revokedAt: instantOrNull(revokedAt),
    opened,
    lastOpenedAt: instantOrNull(lastOpenedAt),
  };
}

/** A page for people without an account. Search engines must not list it. */
function publicPage(reply: FastifyReply): FastifyReply {
  return reply.header('x-robots-tag', 'noindex, nofollow, noarchive');
}

/** A shared report. Errors are pages, because people open the link in a browser. */
const getSharedReport: Handle = async (deps, request, reply) => {
  publicPage(reply);
  const { format, paper } = readRequest(deps, request, reply, sharedReportRequest);
  return orNotice(deps, request, reply, async () => {
    const share = await findActiveShare(deps.people, pathParameter(request, 'token'));
    limitOpenings(deps, share);
    const { valuationId, accountId, version, preparation } = share;
    const options = {
      version,
      preparation,
      paper,
      format: format ?? preferredFormat(request),
      linksToPdf: true,
    } as const;
    // Before the response: a client that has it finds the opening counted.
    await recordOpening(deps.people, share);
    return sendReport(deps, request, reply, { valuationId, accountId, options });
  });
};

/** A PDF takes up to half a second of a thread, and a link may be in many hands. */
function limitOpenings({ shareLimits: { openings } }: ApiDeps, { shareId }: ReportShare): void {
  openings.countFailure(shareId);
  const wait = openings.waitSeconds(shareId);
  if (wait === 0) return;
  throw new PlumblineError('rate_limited', 'The link was opened too often. Try again in a minute.', {
    members: { retry_after: wait },
  });
}

/** Without a page for what was asked for, says so in a page, if the caller accepts one. */
async function orNotice(
  { shareLimits: { misses } }: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  send: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof PlumblineError) || (error.code !== 'gone' && error.code !== 'not_found'))
      throw error;
    if (error.code === 'not_found') countFailure(misses, request, 'for unknown links');
    if (!request.headers.accept?.includes(TYPES.html)) throw error;
    return reply
      .code(error.status)
      .header('content-security-policy', REPORT_PAGE_POLICY)
      .type(`${TYPES.html}; charset=utf-8`)
      .send(renderNotice('This report is not available', error.message));
  }
}

const getVerification: Handle = async (deps, request, reply) => {
  publicPage(reply);
  return orNotice(deps, request, reply, async () => {
    const [id, code] = [pathParameter(request, 'id'), pathParameter(request, 'code')];
    const page = await verificationPage(deps.operations, id, code);
    return reply
      .header('content-security-policy', REPORT_PAGE_POLICY)
      .type(`${TYPES.html}; charset=utf-8`)
      .send(renderHtml(page));
  });
};

export const REPORT_ROUTES: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/valuations/{id}/report',
    operationId: 'readReport',
    access: 'valuations:read',
    credits: '0',
    summary: 'A past valuation as a report',
    description:
      'An HTML page, a tagged PDF or Markdown: the property, its value with the ranges explained, a map, the comparables, market trends, measured accuracy, sources and assumptions. Everything comes from the stored valuation, its model and its data, and nothing is valued again: the same request returns the same bytes.',
    query: ReportRequestBody,
    response: null,
    responseType: TYPES.html,
    otherTypes: [TYPES.pdf, TYPES.markdown],
    problems: ['not_found', 'conflict'],
    handle: getReport,
  },
  freePost('/v1/valuations/{id}/shares', 'createShare', 'valuations:share', {
    summary: 'Share the report of a valuation by a link',
    description:
      'Anyone who has the link can read this report, and nothing else, until the link expires or is revoked. Only a hash of the link is stored.',
    reader: shareRequest,
    response: CreatedShareBody,
    problems: ['not_found', 'conflict'],
    handle: async ({ deps, request, read }) => {
      const valuationId = valuationIdOf(request);
      const terms = read();
      const { accountId, actor } = admittedCaller(request);
      const record = await recordedValuation(deps.operations, valuationId, { accountId });
      requireVersion(storedValuation(record), terms.version);
      const { share, secret } = await createShare(deps.people, { accountId, actor }, valuationId, terms);
      const path = `/share/${secret}`;
      const { publicUrl } = deps.config;
      return { ...shareMembers(share), path, url: publicUrl && publicUrl + path };
    },
  }),
  freeGet('/v1/valuations/{id}/shares', 'listShares', 'valuations:read', {
    summary: 'The share links of a valuation',
    description:
      'Also expired and revoked ones, with how often each was opened. The links themselves are not stored.',
    response: SharesBody,
    problems: ['not_found'],
    handle: async ({ deps, request }) => {
      const valuationId = valuationIdOf(request);
      const { accountId } = callerOf(request);
      await recordedValuation(deps.operations, valuationId, { accountId });
      const shares = await listShares(deps.people.store, accountId, valuationId);
      return { shares: shares.map(shareMembers) };
    },
  }),
  freeDelete('/v1/valuations/{id}/shares/{share_id}', 'revokeShare', 'valuations:share', {
    summary: 'Revoke a share link',
    description: 'At once and permanently.',
    response: ShareBody,
    problems: ['not_found'],
    handle: async ({ deps, request }) => {
      const valuationId = valuationIdOf(request);
      const shareId = idParameter(request, 'The valuation has no share link with this id.', {
        name: 'share_id',
      });
      const { accountId, actor } = admittedCaller(request);
      return shareMembers(await endShare(deps.people, { accountId, actor }, { valuationId, shareId }));
    },
  }),
  {
    method: 'GET',
    path: '/share/{token}',
    operationId: 'openShare',
    access: 'public',
    credits: '0',
    summary: 'A shared report',
    description: 'For people who were sent the link. It shows one report. Openings are counted and limited.',
    query: SharedReportRequestBody,
    response: null,
    responseType: TYPES.html,
    otherTypes: [TYPES.pdf, TYPES.markdown],
    problems: ['not_found', 'gone', 'rate_limited'],
    handle: getSharedReport,
  },
  {
    method: 'GET',
    path: '/verify/{id}/{code}',
    operationId: 'verifyValuation',
    access: 'public',
    credits: '0',
    summary: 'Whether this installation computed a valuation',
    description:
      'The page that the QR code of a report opens: id, date, value and model hash of the valuation, without its address. The code is a hash of the stored response, so only a report has it.',
    response: null,
    responseType: TYPES.html,
    problems: ['not_found', 'rate_limited'],
    handle: getVerification,
  },
];
