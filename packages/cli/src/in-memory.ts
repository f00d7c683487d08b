import type { ConnectorFactories } from '@modelwire/boot'
import { memory } from '@modelwire/connector-memory'

/** A connector that brings methods of its own, and asks for nothing before they are called. */
const storage = 'loopback-component-storage'

/** Memory in place of every connector of records: for commands that want an application's definitions, not its data. */
export const inMemory: ConnectorFactories = new Proxy(
  {},
  { get: (_target, name) => (name === storage ? undefined : () => memory()) }
)
