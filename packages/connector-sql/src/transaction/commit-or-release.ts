import type { ControlledTransaction } from 'kysely'

/** Commits. Where that fails, the connection would stay with the transaction: rolling back, which may fail as well, frees it. */
export async function commitOrRelease(open: ControlledTransaction<unknown>): Promise<void> {
  try {
    await open.commit().execute()
  } catch (error) {
    await Promise.allSettled([open.rollback().execute()])
    throw error
  }
}
