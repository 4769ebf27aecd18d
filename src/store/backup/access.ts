import type { Reader } from '../store.ts';

/** What opens or receives something, by kind; each with its id and a name for people. */
export interface Access {
  readonly kind: 'key' | 'share_link' | 'webhook_endpoint' | 'user';
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
}

/** Everything that gives or gave access, or receives webhooks. */
export async function readAccess(reader: Reader, now: number): Promise<Access[]> {
  const keys = await reader
    .selectFrom('api_keys')
    .select(['keyId', 'name', 'revokedAt', 'expiresAt'])
    .orderBy('keyId')
    .execute();
  const shares = await reader
    .selectFrom('report_shares')
    .select(['shareId', 'valuationId', 'revokedAt', 'expiresAt'])
    .orderBy('shareId')
    .execute();
  const endpoints = await reader
    .selectFrom('webhook_endpoints')
    .select(['endpointId', 'url', 'removedAt'])
    .orderBy('endpointId')
    .execute();
  const users = await reader
    .selectFrom('users')
    .select(['userId', 'name', 'disabledAt'])
    .orderBy('userId')
    .execute();
  const isValid = ({
    revokedAt,
    expiresAt,
  }: {
    revokedAt: number | null;
    expiresAt: number | null;
  }): boolean => revokedAt === null && (expiresAt === null || expiresAt > now);
  return [
    ...keys.map((row): Access => ({ kind: 'key', id: row.keyId, name: row.name, isActive: isValid(row) })),
    ...shares.map((row): Access => {
      return { kind: 'share_link', id: row.shareId, name: row.valuationId, isActive: isValid(row) };
    }),
    ...endpoints.map((row): Access => {
      const { host } = new URL(row.url);
      return { kind: 'webhook_endpoint', id: row.endpointId, name: host, isActive: row.removedAt === null };
    }),
    ...users.map((row): Access => {
      return { kind: 'user', id: row.userId, name: row.name, isActive: row.disabledAt === null };
    }),
  ];
}

/** Work of the backup that continues: it may have been done since. */
export interface OpenWork {
  readonly jobs: number;
  readonly deliveries: number;
}

export async function countOpenWork(reader: Reader): Promise<OpenWork> {
  const jobs = reader.selectFrom('jobs').where('finishedAt', 'is', null);
  const deliveries = reader.selectFrom('deliveries').where('state', '=', 'pending');
  const { count: openJobs } = await jobs
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const { count: pending } = await deliveries
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { jobs: openJobs, deliveries: pending };
}
