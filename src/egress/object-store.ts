import { locationOf, type ObjectStoreSetting } from '../config.ts';
import { PlumblineError } from '../errors.ts';
import type { ObjectFailure, ObjectOperation, ObjectStore, OnObjectRequest } from './stored-object.ts';

/** The permission that an operation needs, as Amazon's policies name it. */
const PERMISSIONS: Readonly<Record<ObjectOperation, string>> = {
  put: 's3:PutObject',
  get: 's3:GetObject',
  head: 's3:GetObject',
  delete: 's3:DeleteObject',
};

export function createObjectStore(
  setting: ObjectStoreSetting,
  onRequest: OnObjectRequest = () => {},
): ObjectStore {
  const location = locationOf(setting);
  // Loaded by the first call: its library takes 34 MB.
  const loaded = once(async () => (await import('./s3-requests.ts')).openS3(setting));
  const request = async <Result>(
    operation: ObjectOperation,
    key: string,
    send: (s3: Awaited<ReturnType<typeof loaded>>) => Promise<Result | ObjectFailure | null>,
  ): Promise<Result | null> => {
    const result = await send(await loaded());
    const isFailed = isFailure(result);
    onRequest(operation, isFailed ? 'failed' : result === null ? 'missing' : 'ok');
    if (!isFailed) return result;
    const where = `${location}/${key}`;
    throw new PlumblineError('unavailable', sentenceOf(setting, operation, where, result));
  };
  return {
    location,
    put: async (object) => void (await request('put', object.key, (s3) => s3.put(object))),
    open: (key, range) => request('get', key, (s3) => s3.open(key, range)),
    find: (key) => request('head', key, (s3) => s3.find(key)),
    remove: async (key) => void (await request('delete', key, (s3) => s3.remove(key))),
  };
}

function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | null = null;
  return () => (created ??= create());
}

function isFailure(result: unknown): result is ObjectFailure {
  return typeof result === 'object' && result !== null && 'code' in result && 'detail' in result;
}

/** What is wrong, where, and what to do. */
function sentenceOf(
  { bucket, region, endpoint }: ObjectStoreSetting,
  operation: ObjectOperation,
  where: string,
  { status, code, detail }: ObjectFailure,
): string {
  const what = `The object storage of OBJECT_STORE failed (${operation} ${where})`;
  if (status === null) {
    return `${what}: ${detail} Check AWS_ENDPOINT_URL_S3, and for an address of your own network OBJECT_STORE_ALLOW_CIDRS.`;
  }
  if (code === 'NoSuchBucket') return `${what}: there is no bucket ${bucket}. Create it, or name another.`;
  if (/Redirect|AuthorizationHeaderMalformed|IllegalLocationConstraint/.test(code) || status === 301) {
    return `${what}: the bucket is not in the region ${region}. Set AWS_REGION to its region.`;
  }
  if (code === 'RequestTimeTooSkewed') {
    return `${what}: the clock of this machine differs from its clock. Run NTP.`;
  }
  if (/InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken/.test(code)) {
    return `${what}: it rejects the credentials (${code}). Correct AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.`;
  }
  if (status === 401 || status === 403) {
    return `${what}: access is denied. Give the key ${PERMISSIONS[operation]} on ${where}, or correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
  }
  const host = endpoint === null ? 'Amazon S3' : new URL(endpoint).host;
  return `${what}: ${host} responded with ${status} ${code}. ${detail}`.trim();
}
