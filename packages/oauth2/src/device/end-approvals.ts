import { isPlainObject } from '@modelwire/core/plugin'
import type { StateStore } from '../seams.ts'
import { randomText } from '../tokens/random-text.ts'

const kind = 'device-end'

/** Names what ends for a user: what one client was allowed, or everything. */
const keyOf = (userId: unknown, clientId?: string): string => JSON.stringify([String(userId), clientId ?? null])

async function markOf(states: StateStore, key: string): Promise<string | null> {
  const data = (await states.read(kind, key))?.data
  return isPlainObject(data) && typeof data['mark'] === 'string' ? data['mark'] : null
}

/** What is another one once approvals of the user, or those for the client, were ended: a mark for each. */
export type ApprovalMarks = readonly [ofUser: string | null, ofClient: string | null]

/** The marks at present: an approval is stored with them. */
export function approvalMarks(states: StateStore, userId: unknown, clientId: string): Promise<ApprovalMarks> {
  return Promise.all([markOf(states, keyOf(userId)), markOf(states, keyOf(userId, clientId))])
}

/** False once an approval was ended. A mark that is gone has outlived every approval that it could end. */
export async function stillApproved(
  states: StateStore,
  { userId, clientId, marks = [null, null] }: { userId?: unknown; clientId: string; marks?: ApprovalMarks | undefined }
): Promise<boolean> {
  const now = await approvalMarks(states, userId, clientId)
  return now.every((mark, at) => mark === null || mark === marks[at])
}

/**
 * Ends what users have allowed to devices: those of one client, or all.
 * @param lifetime seconds that approvals live at most
 */
export async function endApprovals(
  states: StateStore,
  userIds: readonly unknown[],
  lifetime: number,
  clientId?: string
): Promise<void> {
  const end = async (userId: unknown): Promise<void> => {
    const key = keyOf(userId, clientId)
    await states.remove(kind, key)
    await states.add(kind, key, { mark: randomText() }, new Date(Date.now() + lifetime * 1000))
  }
  await Promise.all(userIds.map(end))
}
