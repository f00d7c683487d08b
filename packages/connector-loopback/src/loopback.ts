import type { Connector } from '@modelwire/core/connector'
import { LoopbackConnector } from './loopback-connector.ts'

/**
 * Creates a connector that wraps one written for LoopBack 3.
 * @param module what the connector's module exports, such as `require('loopback-connector-mongodb')`
 * @param settings those of the data source; `name` is its name
 * @throws {ConnectorInvalid} the module exports neither `initialize` nor a constructor
 */
export function loopback(module: unknown, settings: Readonly<Record<string, unknown>> = {}): Connector {
  const { name } = settings
  // Connectors write into their settings.
  return new LoopbackConnector(module, typeof name === 'string' ? name : 'loopback', { ...settings })
}
