import type { ModelRegistry } from '@modelwire/core'
import { isPlainObject } from '@modelwire/core/plugin'
import { recordOf, textOf } from '../store/record-of.ts'
import { deviceKind, type DeviceState } from './device-codes.ts'

/** States in which a device may get tokens, or is about to. */
const allowed: readonly DeviceState[] = ['allowed', 'used']

/** Ends what users have allowed to devices that have no tokens yet: those of one client, or all. */
export async function endApprovals(
  registry: ModelRegistry,
  userIds: readonly unknown[],
  clientId?: string
): Promise<void> {
  const users = new Set(userIds.map(String))
  const states = registry.get('OAuthState')
  const rows = await states.find({ where: { kind: deviceKind, state: { inq: allowed } } })
  const ended = rows.map(recordOf).filter((row) => {
    const facts: unknown = JSON.parse(textOf(row, 'data') ?? 'null')
    if (!isPlainObject(facts) || !users.has(String(facts['userId']))) return false
    return clientId === undefined || facts['clientId'] === clientId
  })
  if (ended.length > 0) await states.destroyAll({ id: { inq: ended.map(({ id }) => id) } })
}
