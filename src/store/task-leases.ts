import type { StoreDb } from './store.ts';
import type { TaskLease } from './tables/jobs.ts';

/** Takes or extends the lease of a task. False if another process holds it. */
export async function takeLease({ db }: StoreDb, lease: TaskLease, now: number): Promise<boolean> {
  const taken = await db
    .insertInto('task_leases')
    .values(lease)
    .onConflict((conflict) =>
      conflict
        .column('task')
        .doUpdateSet({ holder: lease.holder, leaseUntil: lease.leaseUntil })
        .where((eb) =>
          eb.or([eb('task_leases.leaseUntil', '<=', now), eb('task_leases.holder', '=', lease.holder)]),
        ),
    )
    .returning('task')
    .executeTakeFirst();
  return taken !== undefined;
}
