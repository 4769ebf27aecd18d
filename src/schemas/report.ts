import { Type, type Static } from 'typebox';
import { PAPERS, REPORT_FORMATS, REPORT_VERSIONS } from '../domain/report.ts';
import { STATE_CODES } from '../domain/us-states.ts';
import { arrayOf, integer, nullable, oneOf, optional, responseObject, string } from './members.ts';

const file = {
  format: optional.oneOf(REPORT_FORMATS, 'Type of the file.', {
    'x-when-omitted': 'the type that `Accept` prefers, else `html`',
  }),
  paper: optional.oneOf(PAPERS, 'Paper size of a PDF.', { default: 'letter' }),
};

const preparer = {
  prepared_by: optional.string('Name of the appraiser or other preparer, printed in the report.', {
    maxLength: 100,
  }),
  license_number: optional.string('Number of the preparer’s license or certification.', { maxLength: 50 }),
  license_state: optional.oneOf(STATE_CODES, 'Postal code of the state of the license.'),
};

/** What stays the same in a user's next report. */
export const PreparerBody = responseObject('Preparer', preparer);

const preparation = {
  ...preparer,
  prepared_for: optional.string('Name of the client.', { maxLength: 100 }),
  file_number: optional.string('File number of the preparer or the client.', { maxLength: 50 }),
};

export type PreparationMembers = Static<typeof PreparationBody>;
const PreparationBody = Type.Object(preparation);

export const ReportRequestBody = Type.Object(
  {
    version: optional.oneOf(
      REPORT_VERSIONS,
      '`owner`: why this value, in plain words. `appraiser`: the full sales comparison grid. `appeal`: the changes of a challenge, the reasons, what each does to the value, and the decision; only for a challenge or another valuation with changes.',
      { default: 'appraiser' },
    ),
    ...file,
    ...preparation,
  },
  { title: 'ReportRequest' },
);

export const SharedReportRequestBody = Type.Object(file, { title: 'SharedReportRequest' });

export const SHARE_DAYS = { default: 30, most: 365 } as const;

export const ShareRequestBody = Type.Object(
  {
    version: optional.oneOf(REPORT_VERSIONS, 'The version of the report that the link shows.', {
      default: 'owner',
    }),
    expires_in_days: optional.integer('Days until the link expires.', {
      minimum: 1,
      maximum: SHARE_DAYS.most,
      default: SHARE_DAYS.default,
    }),
    ...preparation,
  },
  { title: 'ShareRequest' },
);

const shareMembers = {
  share_id: string('Id for revoking the link.'),
  valuation_id: string('The only valuation that the link shows.'),
  version: oneOf(REPORT_VERSIONS),
  created_at: string(undefined, { format: 'date-time' }),
  expires_at: string(undefined, { format: 'date-time' }),
  revoked_at: nullable.string('Null unless it was revoked.', { format: 'date-time' }),
  opened: integer('How often the link was opened.'),
  last_opened_at: nullable.string(undefined, { format: 'date-time' }),
};

export const ShareBody = responseObject('Share', shareMembers);

export const CreatedShareBody = responseObject('CreatedShare', {
  ...shareMembers,
  path: string('Path of the link on this server. It is shown only now: keep it.'),
  url: nullable.string('The whole link; null if the operator has not set PUBLIC_URL.'),
});

export const SharesBody = responseObject('Shares', { shares: arrayOf(ShareBody, 'Newest first.') });
