import type { EventEmitter } from 'node:events'
import { type ModelRegistry, NotImplemented } from '@modelwire/core'
import type { DataSource, ModelType } from '@modelwire/core/connector'
import { acceptCallback, isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { refusedMembers, type Replacements } from '../../script-members.ts'
import { connectionEvents, type ConnectionMembers, connectionMembers, connectorMembers } from './data-source-events.ts'
import { standFor } from '../definition/data-source-handles.ts'
import { type DataSourceModels, dataSourceModels } from './data-source-models.ts'
import { type DiscoveryMethods, discoveryMethods } from './discover.ts'
import { type ModelBuilder, modelBuilderOf } from './model-builder.ts'
import { scriptConnector, typesOf } from './script-connector.ts'
import { beginScriptTransaction, readTransactionOptions } from './script-transaction.ts'
import { type DefinitionView, definitionView } from '../definition/definition-view.ts'
import { ScriptArgumentInvalid } from '../../errors.ts'

/** The members of a data source for names in the database, and for its connector. */
interface DataSourceNames {
  readonly idName: (model: string) => string | undefined
  readonly idNames: (model: string) => string[]
  readonly idProperty: (model: string) => unknown
  readonly tableName: (model: string) => string
  readonly columnName: (model: string, property: string) => string
  readonly columnNames: (model: string) => string[]
  readonly columnMetadata: (model: string, property: string) => unknown
  readonly idColumnName: (model: string) => string | undefined
  readonly getTypes: () => string[]
  readonly supportTypes: (types: string | readonly string[]) => boolean
  readonly isRelational: () => boolean
}

/** A data source as scripts see it. It emits `connected`, `disconnected` and `error`. */
export interface ScriptDataSource
  extends EventEmitter, DiscoveryMethods, ConnectionMembers, DataSourceModels, DataSourceNames {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  /** Runs statements in the database's own language, or LoopBack's connector itself; undefined if it is not installed. */
  readonly connector: unknown
  /** Alias of `connector`. */
  readonly adapter: unknown
  readonly modelBuilder: ModelBuilder
  /** The application, if the data source is one of its own. */
  app?: object
  readonly connect: ScriptFunction
  readonly ping: ScriptFunction
  readonly disconnect: ScriptFunction
  /** Recreates the tables of the named models, or of all: their records are removed. */
  readonly automigrate: ScriptFunction
  /** Updates the tables of the named models, or of all, keeping their records. */
  readonly autoupdate: ScriptFunction
  /** Whether the database matches the models. */
  readonly isActual: ScriptFunction
  /** Begins a transaction that the script ends: `{ isolationLevel, timeout }`. */
  readonly beginTransaction: ScriptFunction
  /** Runs a function with the models in a transaction, which ends with it. */
  readonly transaction: ScriptFunction
}

/** Members of LoopBack's data sources that are not provided, with their replacements. */
export const missingOfDataSources: Replacements = {
  copyModel: 'extend the model under another name, and attach that one',
  defineOperation: 'put a function on the model and declare it by Model.remoteMethod',
  getOperation: 'use Model.sharedClass.findMethodByName',
  enableRemote: 'use Model.remoteMethod or options.remoting.sharedMethods',
  disableRemote: 'use Model.disableRemoteMethodByName',
  mixin: 'use Model.mixin',
  operations: 'use Model.sharedClass.methods()',
  freeze: 'data sources do not change their models',
  getMaxOfflineRequests: 'calls wait for the connection automatically',
  queueInvocation: 'calls wait for the connection automatically',
  ready: 'calls wait for the connection automatically',
  setup: 'create another data source with loopback.createDataSource',
  log: "use the server's logger",
  discoverModelDefinitionsSync: 'use discoverModelDefinitions',
  discoverModelPropertiesSync: 'use discoverModelProperties',
  discoverPrimaryKeysSync: 'use discoverPrimaryKeys',
  discoverForeignKeysSync: 'use discoverForeignKeys',
  discoverExportedForeignKeysSync: 'use discoverExportedForeignKeys',
  discoverSchemasSync: 'use discoverSchemas',
  discoverAndBuildModelsSync: 'use discoverAndBuildModels'
}

const made = new WeakMap<DataSource, ScriptDataSource>()

/** The script's view of a data source; the same one every time. `name` is the name that a script gave it. */
export function scriptDataSource(
  registry: ModelRegistry,
  dataSource: DataSource,
  name: string = dataSource.name
): ScriptDataSource {
  const cached = made.get(dataSource)
  if (cached !== undefined) return cached
  const { settings, connector, connection } = dataSource
  let shown: unknown
  const owner = { settings, view: () => view }
  const emitter = connectionEvents(connection)
  const members = [
    refusedMembers('dataSource', missingOfDataSources),
    discoveryMethods(registry, dataSource),
    connectionMembers(connection),
    dataSourceModels(registry, dataSource),
    dataSourceNames(registry, dataSource),
    databaseMethods(registry, dataSource),
    connectorMembers(emitter, connector.scriptMembers),
    { name, settings, modelBuilder: modelBuilderOf(registry) },
    {
      get connector() {
        return (shown ??= scriptConnector(connector, owner))
      },
      get adapter() {
        return (shown ??= scriptConnector(connector, owner))
      }
    }
  ].map(Object.getOwnPropertyDescriptors)
  const view: ScriptDataSource = Object.defineProperties(emitter, Object.assign({}, ...members)) as ScriptDataSource // the members make it one
  standFor(view, dataSource)
  made.set(dataSource, view)
  return view
}

const nothing = (): readonly unknown[] => []

type DatabaseMethods = Pick<
  ScriptDataSource,
  'connect' | 'ping' | 'disconnect' | 'automigrate' | 'autoupdate' | 'isActual' | 'beginTransaction' | 'transaction'
>

function databaseMethods(registry: ModelRegistry, dataSource: DataSource): DatabaseMethods {
  const { connection, connector } = dataSource
  const migrate = (empty: boolean): ScriptFunction =>
    acceptCallback(async (names) => {
      await connection.open()
      await migrateModels(registry, dataSource, names, { empty })
    }, nothing)
  return {
    connect: acceptCallback(() => connection.open(), nothing),
    ping: acceptCallback(async () => {
      await connection.open()
      await connector.ping()
    }),
    disconnect: acceptCallback(() => connection.close(), nothing),
    automigrate: migrate(true),
    autoupdate: migrate(false),
    isActual: acceptCallback((names) => isActual(registry, dataSource, names)),
    beginTransaction: acceptCallback((options) => beginScriptTransaction(registry, dataSource, options)),
    transaction: acceptTransaction((execute, options) =>
      runScriptTransaction(registry, dataSource, () => execute(dataSourceModels(registry, dataSource).models), options)
    )
  }
}

/** Answers LoopBack's questions about the names of a data source. @see LoopBack 3: loopback-datasource-juggler, lib/datasource.js */
function dataSourceNames(registry: ModelRegistry, { connector }: DataSource): DataSourceNames {
  const typeOf = (model: string): ModelType => registry.typeOf(model)
  const view = (model: string): DefinitionView => definitionView(typeOf(model))
  const types = (): readonly string[] => typesOf(connector)
  return {
    idName: (model) => view(model).idName(),
    idNames: (model) => view(model).idNames(),
    idProperty: (model) => view(model).ids()[0]?.property,
    tableName: (model) => view(model).tableName(connector.name),
    columnName: (model, property) => view(model).columnName(connector.name, property),
    columnNames: (model) => view(model).columnNames(connector.name),
    columnMetadata: (model, property) => view(model).columnMetadata(connector.name, property),
    idColumnName: (model) => view(model).idColumnName(connector.name),
    getTypes: () => [...types()],
    supportTypes: (wanted) => [wanted].flat().every((type) => types().includes(type)),
    isRelational: () => types().includes('rdbms')
  }
}

/**
 * `dataSource.automigrate` and `autoupdate`: makes the database ready for models, all attached ones when none is named.
 * With `empty` their records are removed. A connector without schemas has nothing to update.
 * @throws {ScriptArgumentInvalid} a model is not attached to the data source
 * @throws {NotImplemented} the connector cannot start anew
 * @see LoopBack 3: loopback-datasource-juggler, lib/datasource.js, automigrate and autoupdate
 */
async function migrateModels(
  registry: ModelRegistry,
  dataSource: DataSource,
  names: unknown,
  { empty }: { empty: boolean }
): Promise<void> {
  const { connector } = dataSource
  const models = findModels(registry, dataSource, names, empty)
  if (connector.migrate !== undefined) await connector.migrate(models, { empty })
  else if (empty) throw new NotImplemented(`the connector ${connector.name} cannot migrate`)
}

/** `dataSource.isActual`: an update would change nothing. A connector without schemas is always ready. */
async function isActual(registry: ModelRegistry, dataSource: DataSource, names: unknown): Promise<boolean> {
  const models = findModels(registry, dataSource, names, false)
  const plan = await dataSource.connector.planMigration?.(models, { empty: false })
  return plan === undefined || plan.steps.every(({ kind }) => kind === 'createSchema')
}

/** LB3: a name that is unknown here stops `automigrate`; `autoupdate` passes over it. */
function findModels(registry: ModelRegistry, dataSource: DataSource, names: unknown, isStrict: boolean): ModelType[] {
  const attached = registry
    .names()
    .map((name) => registry.typeOf(name))
    .filter((model) => model.dataSource === dataSource)
  if (names === undefined || names === null) return attached
  const wanted = [names].flat().map(String)
  const unknown = wanted.filter((name) => !attached.some((model) => model.name === name))
  if (isStrict && unknown.length > 0)
    throw new ScriptArgumentInvalid(`unknown models of ${dataSource.name}, or not migratable: ${unknown.join(', ')}`)
  return attached.filter(({ name }) => wanted.includes(name))
}

/**
 * `dataSource.transaction(execute, options)`: all data access that `execute` waits for belongs to one transaction,
 * which is committed when it resolves. Unlike LoopBack's, it is done again from its start on a conflict.
 * @throws {TransactionTimeout} it took longer than `timeout`
 * @throws {NotImplemented} the connector has no transactions
 * @see LoopBack 3: loopback-datasource-juggler, lib/datasource.js, transaction
 */
async function runScriptTransaction(
  registry: ModelRegistry,
  dataSource: DataSource,
  execute: () => unknown,
  options: unknown
): Promise<unknown> {
  const { isolation, timeout } = readTransactionOptions(options)
  return registry.transaction(async () => execute(), { isolation, timeout, dataSource: dataSource.name })
}

/** The function comes first, so that it is not taken for the callback. @throws {ScriptArgumentInvalid} there is none */
function acceptTransaction(run: (execute: ScriptFunction, options: unknown) => Promise<unknown>): ScriptFunction {
  return (execute, ...others) => {
    if (!isFunction(execute)) throw new ScriptArgumentInvalid('transaction requires a function')
    return acceptCallback((options) => run(execute, options))(...others)
  }
}
