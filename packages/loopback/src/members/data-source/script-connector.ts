import { ScriptArgumentInvalid } from '../../errors.ts'
import { acceptCallback, isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { joiningTransaction } from './script-transaction.ts'
import type { Connector, DataSource } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'

/** Memory connectors that replace MongoDB, whose scripts see a driver without data. */
export const standsForDriver = new WeakSet<Connector>()

/** What the methods of a driver answer that give something else than further objects of the driver. */
const answers: Readonly<Record<string, unknown>> = {
  count: 0,
  countDocuments: 0,
  distinct: [],
  estimatedDocumentCount: 0,
  findOne: null,
  hasNext: false,
  indexes: [],
  next: null,
  toArray: []
}

/** Methods whose function is called for each record: there is none. */
const iterating: ReadonlySet<string> = new Set(['each', 'forEach', 'map'])

/** The owner of a connector. */
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
 * The value of `dataSource.connector` in scripts: LoopBack's own connector if one is wrapped, else the connector itself,
 * with the members of LoopBack's that applications use, such as `execute(statement[, parameters][, options][, callback])`.
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
  throw new ScriptArgumentInvalid('the parameters of a statement must be a list')
}

/**
 * Stands in for a driver, a database or a collection where there is no database: every method can be called, changes nothing, finds
 * nothing and calls its callback.
 */
function silentDriver(): unknown {
  const driver: object = new Proxy(() => undefined, {
    get: (_target, name) => {
      if (name === Symbol.iterator || name === Symbol.asyncIterator) return () => [].values()
      if (typeof name === 'symbol' || name === 'then') return undefined
      return (...args: unknown[]) => {
        const answer = Object.hasOwn(answers, name) ? answers[name] : driver
        const callback = args.at(-1)
        if (isFunction(callback) && !iterating.has(name)) setImmediate(callback, null, answer)
        return answer
      }
    },
    apply: () => driver
  })
  return driver
}

/** True if the connector stores records. */
export const hasRecords = ({ connector }: DataSource): boolean => typesOf(connector).includes('db')

/** The types of a connector for scripts. */
export function typesOf(connector: DataSource['connector']): readonly string[] {
  const shown: unknown = scriptConnector(connector)
  const getTypes: unknown = Reflect.get(Object(shown), 'getTypes')
  return isFunction(getTypes) ? Array.from(getTypes.call(shown) as Iterable<string>) : [] // a list of names
}
