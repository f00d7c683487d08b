import type { Connector } from '@modelwire/core/connector'
import { MemoryConnector } from './memory-connector.ts'
import { readSettings } from './settings.ts'
import { TransactionalConnector } from './transactional-connector.ts'

/**
 * A connector that keeps records in memory and, with the setting `file`, in a file as well. LoopBack 3's setting
 * `localStorage` is ignored: it only works in a browser.
 * @throws {InvalidOption} a setting has the wrong type
 */
export function memory(settings: Readonly<Record<string, unknown>> = {}): Connector {
  const checked = readSettings(settings)
  return checked.transactions ? new TransactionalConnector(checked) : new MemoryConnector(checked)
}
