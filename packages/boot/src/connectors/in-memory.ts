import { memory } from '@modelwire/connector-memory'
import type { Connector } from '@modelwire/core/connector'
import { kvMemory } from '@modelwire/key-value'
import { type ConnectorFactories, type ConnectorFactory, connectorName } from './connector-factories.ts'

/** Connectors that give their models methods, and connect to nothing before these are called. */
const asTheyAre = new Set(['loopback-component-storage', 'mail', 'rest', 'remote'])
const keyValue = new Set(['kv-memory', 'kv-redis'])
/** Connectors of databases that make texts for ids where a model does not declare them, or `number`. */
const withTextIds = new Set(['mongodb'])
const withTransactions = new Set(['mongodb', 'mysql', 'postgresql', 'sqlite'])

function inMemoryOf(written: string): ConnectorFactory | undefined {
  const name = connectorName(written)
  if (asTheyAre.has(name)) return undefined
  if (keyValue.has(name)) return () => kvMemory()
  return () => memoryLike({ hasTextIds: withTextIds.has(name), hasTransactions: withTransactions.has(name) })
}

/** Memory whose models have the types that they have on another database. */
function memoryLike(facts: { readonly hasTextIds: boolean; readonly hasTransactions: boolean }): Connector {
  const connector = memory({ transactions: facts.hasTransactions })
  if (!facts.hasTextIds) return connector
  const capabilities = { ...connector.capabilities, generatedIdType: 'string' }
  return Object.defineProperty(connector, 'capabilities', { value: capabilities })
}

/** Memory in place of every connector of records or keys: for what wants an application's definitions, not its data. */
export const inMemory: ConnectorFactories = new Proxy(
  {},
  { get: (_target, name) => (typeof name === 'string' ? inMemoryOf(name) : undefined) }
)

/** Memory in place of a connector that was made; one that keeps neither records nor keys is given back. */
export function inMemoryLike(own: Connector): Connector {
  const { operations, generatedIdType, transactions } = own.capabilities
  const name = connectorName(own.name)
  if (keyValue.has(name)) return kvMemory()
  if (operations.size === 0) return own
  return memoryLike({
    hasTextIds: generatedIdType === 'string',
    hasTransactions: transactions || withTransactions.has(name)
  })
}
