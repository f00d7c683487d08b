import type { HeldChanges, HoldingBus } from '../changes/held-changes.ts'
import { NotImplemented } from '../errors.ts'
import type { OpenTransaction } from '../contract/connector.ts'
import type { DataSource } from '../contract/data-source.ts'

/**
 * Begins a transaction of a data source that stays open until its caller commits it or rolls it back. Changes that are
 * made in it are reported to listeners once they are committed.
 * @throws {NotImplemented} the connector has no transactions
 */
export async function beginTransaction(
  { changes }: { readonly changes: HoldingBus },
  { connector }: DataSource,
  options: { readonly isolation?: string | undefined } = {}
): Promise<OpenTransaction> {
  if (connector.beginTransaction === undefined)
    throw new NotImplemented(`the connector ${connector.name} has no transactions`)
  const { isolation } = options
  const open = await connector.beginTransaction(isolation === undefined ? {} : { isolation })
  const held: HeldChanges = { changes: [], isOver: false }
  return {
    run: async (work) => open.run(() => changes.hold(held, work)),
    async commit() {
      await open.commit()
      held.isOver = true
      for (const change of held.changes) changes.publish(change)
    },
    async rollback() {
      held.isOver = true
      await open.rollback()
    }
  }
}
