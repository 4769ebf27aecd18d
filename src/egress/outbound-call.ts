import type { Readable } from 'node:stream';

export interface OutboundRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
  /** From the DNS lookup to the last byte of the response. */
  readonly timeoutMs?: number;
  /** Maximum bytes of the response body to read. */
  readonly maxBytes?: number;
}

/** The response, whatever its status: redirects are not followed. */
export interface OutboundResponse {
  readonly outcome: 'responded';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** Whether the body continued after `maxBytes`. */
  readonly isTruncated: boolean;
}

/** Rejected by the guard, unreachable, or too late. `detail` is a sentence. */
export interface OutboundFailure {
  readonly outcome: 'rejected' | 'unreachable' | 'timeout';
  readonly detail: string;
}

export interface Outbound {
  /**
   * Why a URL would be rejected now, including a DNS lookup; null if it would not. Check this before storing
   * a URL.
   */
  readonly rejectionOf: (url: string) => Promise<string | null>;
  readonly request: (url: string, request?: OutboundRequest) => Promise<OutboundResponse | OutboundFailure>;
}
