import type { ConnectorFactories } from '@modelwire/boot'
import { memory } from '@modelwire/connector-memory'

/** Memory in place of every connector: for commands that want an application's definitions, not its data. */
export const inMemory: ConnectorFactories = new Proxy({}, { get: () => () => memory() })
