import { type ConnectorFactories, type ConnectorFactory, connectorName } from '@modelwire/boot'
import { memory } from '@modelwire/connector-memory'
import { kvMemory } from '@modelwire/key-value'

/** Connectors that give their models methods, and connect to nothing before these are called. */
const asTheyAre = new Set(['loopback-component-storage', 'mail', 'rest', 'remote'])
const keyValue = new Set(['kv-memory', 'kv-redis'])

function inMemoryOf(written: string): ConnectorFactory | undefined {
  const name = connectorName(written)
  if (asTheyAre.has(name)) return undefined
  return keyValue.has(name) ? () => kvMemory() : () => memory()
}

/** Memory in place of every connector of records or keys: for commands that want an application's definitions, not its data. */
export const inMemory: ConnectorFactories = new Proxy(
  {},
  { get: (_target, name) => (typeof name === 'string' ? inMemoryOf(name) : undefined) }
)
