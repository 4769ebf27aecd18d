import type { Session } from '../../../api/session.ts';

/** Whose files of this browser may be seen: this user's, for this account. */
export function ownerOf({ account, user }: Pick<Session, 'account' | 'user'>): string {
  return `${account.id} ${user.id}`;
}

export function pathOfFile(id: string): string {
  return `/console/batches/file/${id}`;
}

export function pathOfJob(jobId: string): string {
  return `/console/batches/${jobId}`;
}
