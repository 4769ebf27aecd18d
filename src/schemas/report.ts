import { Type } from 'typebox';
import { PAPERS, REPORT_FORMATS, REPORT_VERSIONS } from '../reports/report-options.ts';
import { optional } from './members.ts';

export const ReportRequestBody = Type.Object(
  {
    version: optional.oneOf(
      REPORT_VERSIONS,
      '`owner`: why this value, in plain words. `appraiser`: the full sales comparison grid. `appeal`: a challenge and its evidence; only for a valuation that was challenged.',
      { default: 'appraiser' },
    ),
    format: optional.oneOf(REPORT_FORMATS, 'Type of the file.', {
      'x-when-omitted': 'the type that `Accept` prefers, else `html`',
    }),
    paper: optional.oneOf(PAPERS, 'Paper size of a PDF.', { default: 'letter' }),
  },
  { title: 'ReportRequest' },
);
