import { valuationReport } from '../../operations/report/valuation-report.ts';
import { REPORT_PAGE_POLICY } from '../../reports/render-html.ts';
import type { ReportFormat } from '../../reports/report-options.ts';
import { ReportRequestBody } from '../../schemas/report.ts';
import { createRequestReader, readRequest } from '../request/read-request.ts';
import { callerOf, prefers } from '../request-context.ts';
import type { Handle, Operation } from '../route.ts';
import { valuationIdOf } from './valuations.ts';

const TYPES: Readonly<Record<ReportFormat, string>> = { html: 'text/html', pdf: 'application/pdf' };

const reportRequest = createRequestReader({
  schema: ReportRequestBody,
  build: ({ version, format, paper }) => ({
    version: version ?? 'appraiser',
    format: format ?? null,
    paper: paper ?? 'letter',
  }),
});

const getReport: Handle = async (deps, request, reply) => {
  const valuationId = valuationIdOf(request);
  const { format: wanted, ...options } = readRequest(deps, request, reply, reportRequest);
  const format = wanted ?? (prefers(request, TYPES.pdf, TYPES.html) ? 'pdf' : 'html');
  const report = await valuationReport(deps.operations, valuationId, callerOf(request), {
    ...options,
    format,
  });
  return reply
    .header('vary', 'accept')
    .header('content-security-policy', REPORT_PAGE_POLICY)
    .header('content-disposition', `inline; filename="valuation-${valuationId}.${format}"`)
    .type(format === 'html' ? `${TYPES.html}; charset=utf-8` : TYPES.pdf)
    .send(report);
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
      'An HTML page or a tagged PDF: the property, its value with the ranges explained, a map, the comparables, market trends, measured accuracy, sources and assumptions. Everything comes from the stored valuation, its model and its data, and nothing is valued again: the same request returns the same bytes.',
    query: ReportRequestBody,
    response: null,
    responseType: TYPES.html,
    otherTypes: [TYPES.pdf],
    problems: ['not_found', 'conflict'],
    handle: getReport,
  },
];
