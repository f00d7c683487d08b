import type { Operation } from '@modelwire/core/plugin'

/** The status of an operation's success: its own, else 204 where it returns nothing, else `createdStatus` where it creates a record. */
export function successStatus({ status, returns, effect }: Operation, createdStatus: 200 | 201): number {
  if (status !== undefined) return status
  if (returns.length === 0) return 204
  return effect.verb === 'create' ? createdStatus : 200
}
