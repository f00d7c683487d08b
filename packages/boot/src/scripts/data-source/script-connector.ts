import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import type { Connector } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/core/plugin'
import { acceptCallback, type ScriptFunction } from '../../callback-bridge.ts'
import { standsForDriver } from '../../connectors/in-memory.ts'
import { silentDriver } from '../../connectors/silent-driver.ts'
import { joiningTransaction } from './script-transaction.ts'

/** What a connector belongs to. */
export interface ConnectorOwner {
  readonly settings: Readonly<Record<string, unknown>>
  /** The data source as scripts see it. */
  readonly view: () => unknown
}

const idTypes: Readonly<Record<string, unknown>> = { number: Number, string: String }

/** Members of LoopBack's connectors that applications read, by name. */
function membersOf(
  connector: Connector,
  owner: ConnectorOwner | undefined
): ReadonlyMap<string | symbol, () => unknown> {
  const execute = connector.execute === undefined ? undefined : executeOf(connector)
  const statements = ['execute', 'query', 'command'].map((name) => [name, () => execute] as const)
  const { capabilities } = connector
  const driver = standsForDriver.has(connector) ? silentDriver() : undefined
  return new Map<string | symbol, () => unknown>([
    ...(execute === undefined ? [] : statements),
    // LB3: scripts reach the driver of MongoDB by these.
    ...(driver === undefined ? [] : ['client', 'collection', 'db'].map((name) => [name, () => driver] as const)),
    ['getDefaultIdType', () => () => idTypes[capabilities.generatedIdType] ?? String],
    ['getTypes', () => () => nativeTypes(connector)],
    ['relational', () => connector.discovery !== undefined],
    ['isRelational', () => () => connector.discovery !== undefined],
    ...(owner === undefined
      ? []
      : ([
          ['settings', () => owner.settings],
          ['dataSource', owner.view]
        ] as const))
  ])
}

/**
 * What LoopBack calls the kinds of a connector: `db`, and `rdbms` and `sql` or `nosql`; none for one without records.
 * @see LoopBack 3: loopback-connector, lib/sql.js, and loopback-datasource-juggler, lib/connectors/memory.js, getTypes
 */
function nativeTypes(connector: Connector): readonly string[] {
  if (connector.capabilities.operations.size === 0) return []
  const kinds = connector.discovery === undefined ? ['db', 'nosql'] : ['db', 'rdbms', 'sql']
  return [...kinds, connector.name]
}

/**
 * What scripts find as `dataSource.connector`: LoopBack's own connector where one is driven, else the connector itself, with what
 * applications read of LoopBack's, such as `execute(statement[, parameters][, options][, callback])`.
 */
export function scriptConnector(connector: Connector, owner?: ConnectorOwner): unknown {
  if ('scriptConnector' in connector) return connector.scriptConnector
  const own = membersOf(connector, owner)
  return new Proxy(connector, {
    has: (target, name) => own.has(name) || Reflect.has(target, name),
    get(target, name) {
      const member = own.get(name)
      if (member !== undefined) return member()
      const value: unknown = Reflect.get(target, name, target)
      // Its methods reach what is private to it.
      return typeof value === 'function' ? (value as ScriptFunction).bind(target) : value // called as any function
    }
  })
}

/** The options may have a `transaction`, which the statement then belongs to. */
function executeOf(connector: Connector): ScriptFunction {
  const run = async (statement: unknown, parameters: unknown): Promise<unknown> => {
    if (typeof statement !== 'string') throw new ScriptArgumentInvalid('a statement must be a string')
    return connector.execute?.(statement, parametersOf(parameters))
  }
  return acceptCallback(joiningTransaction(run))
}

function parametersOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || isPlainObject(value)) return []
  if (Array.isArray(value)) return value
  throw new ScriptArgumentInvalid('the parameters of a statement are a list')
}
