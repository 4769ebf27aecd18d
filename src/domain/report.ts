/** For whom a report is: it decides what the report contains and how it is worded. */
export const REPORT_VERSIONS = ['owner', 'appraiser', 'appeal'] as const;
export type ReportVersion = (typeof REPORT_VERSIONS)[number];

export const REPORT_FORMATS = ['html', 'pdf', 'markdown'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export const PAPERS = ['letter', 'a4'] as const;
export type Paper = (typeof PAPERS)[number];

export interface ReportOptions {
  readonly version: ReportVersion;
  readonly format: ReportFormat;
  /** Of a PDF. */
  readonly paper: Paper;
  /** Whether an HTML page links to itself as a PDF: people with a share link have no other way to it. */
  readonly linksToPdf?: true;
  readonly preparation?: Preparation;
}

/** Who prepared a report, and for whom, as the person who requested it entered it. */
export interface Preparation {
  readonly preparedBy?: string;
  readonly licenseNumber?: string;
  /** Postal code of the state that licensed the preparer. */
  readonly licenseState?: string;
  readonly preparedFor?: string;
  readonly fileNumber?: string;
}

/** A picture at the head of a report. */
export interface Logo {
  readonly type: LogoType;
  readonly base64: string;
}

const LOGO_TYPES = ['image/png', 'image/jpeg'] as const;
type LogoType = (typeof LOGO_TYPES)[number];
