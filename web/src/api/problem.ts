/** One error of a body that is not valid, as the API lists them. */
export interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** What the server refused, as a sentence for the person in front of it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** 0 where the server could not be reached. */
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** Of a 422: what is wrong where. */
  readonly fields: readonly FieldError[];
  /** Further members of the document, as `candidates` of an address. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(of: {
    readonly status: number;
    readonly code: string;
    readonly detail: string;
    readonly requestId?: string | null;
    readonly retryAfterSeconds?: number | null;
    readonly fields?: readonly FieldError[];
    readonly members?: Readonly<Record<string, unknown>>;
  }) {
    super(of.detail);
    this.status = of.status;
    this.code = of.code;
    this.requestId = of.requestId ?? null;
    this.retryAfterSeconds = of.retryAfterSeconds ?? null;
    this.fields = of.fields ?? [];
    this.members = of.members ?? {};
  }
}

/** What the server said of a field of a form: `location.address`, or its last name alone. */
export function fieldError(problem: Problem | null, name: string): string | null {
  const found = problem?.fields.find(({ loc }) => {
    const path = loc.filter((part) => part !== 'body').join('.');
    return path === name || path.endsWith(`.${name}`);
  });
  return found?.msg ?? null;
}

/** The answer of a server that refused → a problem, whatever it sent. */
export function problemOf(status: number, headers: Headers, body: unknown): Problem {
  const document: Readonly<Record<string, unknown>> = isRecord(body) ? body : {};
  const fields = Array.isArray(document.detail) ? document.detail.filter(isFieldError) : [];
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return new Problem({
    status,
    code: typeof document.code === 'string' ? document.code : 'unknown',
    detail: detailOf(document.detail, fields, status),
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    fields,
    members: document,
  });
}

export function unreachable(): Problem {
  return new Problem({
    status: 0,
    code: 'unreachable',
    detail: 'The server cannot be reached. See whether it runs, and try again.',
  });
}

function detailOf(detail: unknown, fields: readonly FieldError[], status: number): string {
  if (typeof detail === 'string') return detail;
  if (fields.length > 0) return fields.map(sentenceOf).join(' ');
  return `The server answered ${status} without saying why.`;
}

function sentenceOf({ loc, msg }: FieldError): string {
  const path = loc.filter((part) => part !== 'body').join('.');
  return `${path === '' ? '' : `${path}: `}${msg}${/[.!?]$/.test(msg) ? '' : '.'}`;
}

function isFieldError(entry: unknown): entry is FieldError {
  return isRecord(entry) && Array.isArray(entry.loc) && typeof entry.msg === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
