import type { Readable } from 'node:stream';

/** What is known of an object without reading it. */
export interface ObjectFacts {
  readonly byteCount: number;
  /** As it was stored with the object; null if another program wrote it. */
  readonly sha256: string | null;
}

/** Positions of bytes, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface NewObject {
  readonly key: string;
  readonly type: string;
  readonly byteCount: number;
  readonly sha256: string;
  /** Base64. The store rejects other bytes. */
  readonly md5: string;
  readonly bytes: Readable;
}

export interface OpenedObject extends ObjectFacts {
  readonly bytes: Readable;
}

export type ObjectOperation = 'put' | 'get' | 'head' | 'delete';
type ObjectOutcome = 'ok' | 'missing' | 'failed';
export type OnObjectRequest = (operation: ObjectOperation, outcome: ObjectOutcome) => void;

/**
 * A bucket with the API of Amazon S3. Its calls pass the guard of outside calls. All throw `unavailable` with a sentence for
 * the operator. Requests without a body are tried three times.
 */
export interface ObjectStore {
  /** The URL of the place for all objects, such as `s3://bucket/prefix`. */
  readonly location: string;
  /** Stores an object. It exists with all its bytes or not at all. */
  readonly put: (object: NewObject) => Promise<void>;
  /** The bytes of an object in a range; null if there is no such object. `byteCount` is that of the range. */
  readonly open: (key: string, range: ByteRange) => Promise<OpenedObject | null>;
  /** Null if there is no such object. */
  readonly find: (key: string) => Promise<ObjectFacts | null>;
  /** Deletes an object, if there is one. */
  readonly remove: (key: string) => Promise<void>;
}

/** Why a request failed: the status and code of the response, or a sentence if there was none. */
export interface ObjectFailure {
  readonly status: number | null;
  readonly code: string;
  readonly detail: string;
}
