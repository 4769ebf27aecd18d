/** One error of an invalid body, as the API lists them. */
interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

interface ProblemParts {
  /** 0 if the server could not be reached. */
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** The errors of a 422. */
  readonly fields: readonly FieldError[];
  /** All members of the response, such as `candidates` of an address. */
  readonly members: Readonly<Record<string, unknown>>;
}

const NO_PARTS = { requestId: null, retryAfterSeconds: null, fields: [], members: {} } as const;

/** Why a request failed. Its message is a sentence for the user. */
export class Problem extends Error implements ProblemParts {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly fields: readonly FieldError[];
  readonly members: Readonly<Record<string, unknown>>;

  constructor(detail: string, parts: Pick<ProblemParts, 'status' | 'code'> & Partial<ProblemParts>) {
    super(detail);
    const { status, code, requestId, retryAfterSeconds, fields, members } = { ...NO_PARTS, ...parts };
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.fields = fields;
    this.members = members;
  }
}

/** The error of a form field, found by its path `location.address` or by its last name alone. */
export function fieldError(problem: Problem | null, name: string): string | null {
  const found = problem?.fields.find(({ loc }) => `.${pathOf(loc)}`.endsWith(`.${name}`));
  return found?.msg ?? null;
}

/** The first error of a member of the request or of anything in it, by its whole path `comparables.added.0`. */
export function errorIn(problem: Problem | null, path: string): string | null {
  const found = problem?.fields.find(({ loc }) => `${pathOf(loc)}.`.startsWith(`${path}.`));
  return found?.msg ?? null;
}

/** An error response as a problem, whatever its body is. */
export function problemOf(status: number, headers: Headers, body: unknown): Problem {
  const document: Readonly<Record<string, unknown>> = isRecord(body) ? body : {};
  const fields = Array.isArray(document.detail) ? document.detail.filter(isFieldError) : [];
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return new Problem(detailOf(document.detail, fields, status), {
    status,
    code: typeof document.code === 'string' ? document.code : 'unknown',
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    fields,
    members: document,
  });
}

export function unreachable(): Problem {
  const detail = 'The server cannot be reached. Check that it is running, then try again.';
  return new Problem(detail, { status: 0, code: 'unreachable' });
}

/** Anything thrown, as a problem that can be shown. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new Problem(`The console failed: ${detail}`, { status: 0, code: 'console_error' });
}

function detailOf(detail: unknown, fields: readonly FieldError[], status: number): string {
  if (typeof detail === 'string') return detail;
  if (fields.length > 0) return fields.map(sentenceOf).join(' ');
  return `The server responded with status ${status} and no explanation.`;
}

function sentenceOf({ loc, msg }: FieldError): string {
  const path = pathOf(loc);
  return `${path === '' ? '' : `${path}: `}${msg}${/[.!?]$/.test(msg) ? '' : '.'}`;
}

function pathOf(loc: FieldError['loc']): string {
  return loc.filter((part) => part !== 'body').join('.');
}

function isFieldError(entry: unknown): entry is FieldError {
  return isRecord(entry) && Array.isArray(entry.loc) && typeof entry.msg === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
