import { lookup } from 'node:dns/promises';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { ObjectStoreSetting } from '../config.ts';
import { addressRule } from './address-rule.ts';
import { RejectedAddressError } from './allowed-addresses.ts';
import type { ByteRange, NewObject, ObjectFacts, ObjectFailure, OpenedObject } from './stored-object.ts';
import { networkCodeOf } from './outbound.ts';
import { guardedClient } from './send-guarded.ts';

const ignore = (): void => {};

/** From the request to the response, and between two parts of a body. */
const IDLE_MS = 30_000;
/** Of requests without a body. */
const ATTEMPTS = 3;

/** Requests to the bucket of the settings, by Amazon's client over the guarded connections of this folder. */
export function openS3({ bucket, prefix, endpoint, region, allowCidrs, ...credentials }: ObjectStoreSetting) {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) },
    // Other servers than Amazon's seldom have a host name for each bucket.
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: ATTEMPTS,
    requestHandler: guardedHandler(allowCidrs),
    // Older servers know neither. The MD5 of an upload is checked by all.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    // Failures are thrown; without this, the client also prints some.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  const at = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` });
  return {
    put: ({ key, type, byteCount, sha256, md5, bytes }: NewObject) =>
      orFailure(async () => {
        const facts = { ContentType: type, ContentLength: byteCount, ContentMD5: md5, Metadata: { sha256 } };
        await client.send(new PutObjectCommand({ ...at(key), ...facts, Body: bytes }));
        return true;
      }),
    open: (key: string, { first, last }: ByteRange) =>
      orFailure(async (): Promise<OpenedObject> => {
        const range = { Range: `bytes=${first}-${last}` };
        const { Body, ...facts } = await client.send(new GetObjectCommand({ ...at(key), ...range }));
        if (!(Body instanceof Readable)) throw new TypeError('An object has no stream of bytes.');
        // A reader that stops early ends the request, which is no failure. Readers still get the errors of what they read.
        Body.on('error', ignore);
        return { ...factsOf(facts), bytes: Body };
      }),
    find: (key: string) => orFailure(async () => factsOf(await client.send(new HeadObjectCommand(at(key))))),
    remove: (key: string) =>
      orFailure(async () => {
        await client.send(new DeleteObjectCommand(at(key)));
        return true;
      }),
  };
}

function factsOf({
  ContentLength = 0,
  Metadata = {},
}: {
  readonly ContentLength?: number;
  readonly Metadata?: Record<string, string>;
}): ObjectFacts {
  return { byteCount: ContentLength, sha256: Metadata.sha256 ?? null };
}

/** The result; null for an object that does not exist or is too short; or why it failed. Throws if the request is wrong: a bug. */
async function orFailure<Result>(send: () => Promise<Result>): Promise<Result | ObjectFailure | null> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof S3ServiceException) {
      const { name: code, message: detail, $metadata: metadata } = error;
      const status = metadata.httpStatusCode ?? 500;
      // The response to HEAD has no text that tells a missing bucket from a missing object. An object without the bytes of
      // a range is not the one that was stored.
      if ((status === 404 && code !== 'NoSuchBucket') || status === 416) return null;
      return { status, code, detail };
    }
    if (error instanceof RejectedAddressError)
      return { status: null, code: error.name, detail: error.message };
    const code = networkCodeOf(error);
    if (code === null) throw error;
    return { status: null, code, detail: `it could not be reached (${code}).` };
  }
}

/** The part of a signed request that is sent. */
interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly method: 'GET' | 'PUT' | 'HEAD' | 'DELETE';
  readonly headers: Record<string, string>;
  readonly body?: Readable | Uint8Array | string | null;
}

/** Sends the requests of Amazon's client, each on a connection of its own that the guard checks. */
function guardedHandler(allowCidrs: readonly string[]) {
  const rule = addressRule(allowCidrs);
  const resolve = (host: string) => lookup(host, { all: true });
  return {
    httpHandlerConfigs: () => ({}),
    updateHttpClientConfig: () => {},
    handle: async ({ protocol, hostname, port, path, query = {}, method, headers, body }: SignedRequest) => {
      const url = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`);
      const closing = new AbortController();
      const client = guardedClient(url, { rule, resolve, signal: closing.signal }, IDLE_MS);
      try {
        const sent = { method, headers, body: body ?? null, reset: true };
        const response = await client.request({ path: path + queryText(query), ...sent });
        response.body.once('close', () => void client.destroy());
        const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        const { statusCode } = response;
        return { response: { statusCode, headers: Object.fromEntries(received), body: response.body } };
      } catch (error) {
        await client.destroy();
        throw asRetryable(error);
      }
    },
  };
}

function queryText(query: NonNullable<SignedRequest['query']>): string {
  const parts = Object.entries(query).flatMap(([name, values]) =>
    [values ?? ''].flat().map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Amazon's client retries what has this name. */
function asRetryable(error: unknown): unknown {
  if (error instanceof Error && !(error instanceof RejectedAddressError) && networkCodeOf(error) !== null) {
    error.name = 'TimeoutError';
  }
  return error;
}
