import { memory } from '@modelwire/connector-memory'
import type { Connector } from '@modelwire/core/connector'
import { kvMemory } from '@modelwire/key-value'
import type { ConnectorFactories, ConnectorFactory } from './connector-factories.ts'
import { connectorName } from './loopback-connectors.ts'
import { standsForDriver } from '@modelwire/loopback/api'

/** Connectors that give their models methods, and connect to nothing before these are called. */
const asTheyAre = new Set(['loopback-component-storage', 'mail', 'rest', 'remote'])
const keyValue = new Set(['kv-memory', 'kv-redis'])
/** Connectors of databases that make texts for ids where a model does not declare them, or `number`. */
const withTextIds = new Set(['mongodb'])

const withStatements = new Set(['mssql', 'mysql', 'oracle', 'postgresql', 'sqlite'])
const withTransactions = new Set(['mongodb', 'mysql', 'postgresql', 'sqlite'])

function inMemoryOf(written: string): ConnectorFactory | undefined {
  const name = connectorName(written)
  if (asTheyAre.has(name)) return undefined
  if (keyValue.has(name)) return () => kvMemory()
  return () => memoryLike(name, withTextIds.has(name))
}

/** Memory whose models have the types that they have on another database, and whose driver finds nothing. */
function memoryLike(name: string, hasTextIds: boolean, hasTransactions = withTransactions.has(name)): Connector {
  const connector = memory({ transactions: hasTransactions })
  if (withStatements.has(name))
    Object.defineProperty(connector, 'execute', { value: async () => [], configurable: true })
  if (name === 'mongodb') standsForDriver.add(connector)
  if (!hasTextIds) return connector
  const capabilities = { ...connector.capabilities, generatedIdType: 'string' }
  return Object.defineProperty(connector, 'capabilities', { value: capabilities })
}

/**
 * Memory connectors in place of every connector of records or keys: for tools that need an application's definitions, but
 * not its data.
 */
export const inMemory: ConnectorFactories = new Proxy(
  {},
  { get: (_target, name) => (typeof name === 'string' ? inMemoryOf(name) : undefined) }
)

/** A memory connector in place of the given one; a connector of neither records nor keys is returned unchanged. */
export function inMemoryLike(own: Connector): Connector {
  const { operations, generatedIdType, transactions } = own.capabilities
  const name = connectorName(own.name)
  if (keyValue.has(name)) return kvMemory()
  if (operations.size === 0) return own
  return memoryLike(name, generatedIdType === 'string', transactions || withTransactions.has(name))
}
