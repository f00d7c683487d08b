import { type ConnectorFactories, type ConnectorFactory, connectorName } from '@modelwire/boot'
import { memory } from '@modelwire/connector-memory'
import type { Connector } from '@modelwire/core/connector'
import { kvMemory } from '@modelwire/key-value'

/** Connectors that give their models methods, and connect to nothing before these are called. */
const asTheyAre = new Set(['loopback-component-storage', 'mail', 'rest', 'remote'])
const keyValue = new Set(['kv-memory', 'kv-redis'])
/** Connectors of databases that make texts for ids where a model does not declare them, or `number`. */
const withTextIds = new Set(['mongodb'])

function inMemoryOf(written: string): ConnectorFactory | undefined {
  const name = connectorName(written)
  if (asTheyAre.has(name)) return undefined
  if (keyValue.has(name)) return () => kvMemory()
  return withTextIds.has(name) ? memoryWithTextIds : () => memory()
}

/** Memory whose models have the types that they have on such a database. */
function memoryWithTextIds(): Connector {
  const connector = memory()
  const capabilities = { ...connector.capabilities, generatedIdType: 'string' }
  return Object.defineProperty(connector, 'capabilities', { value: capabilities })
}

/** Memory in place of every connector of records or keys: for commands that want an application's definitions, not its data. */
export const inMemory: ConnectorFactories = new Proxy(
  {},
  { get: (_target, name) => (typeof name === 'string' ? inMemoryOf(name) : undefined) }
)
