import type { EventEmitter } from 'node:events'
import type { ModelRegistry } from '@modelwire/core'
import type { DataSource } from '@modelwire/core/connector'
import { acceptCallback, type ScriptFunction } from '../../callback-bridge.ts'
import type { ScriptApp } from '../app/script-app.ts'
import { refusedMembers, type Replacements } from '../refuse-member.ts'
import { type ConnectionMembers, connectionEvents, connectionMembers, connectorMembers } from './data-source-events.ts'
import { standFor } from './data-source-handles.ts'
import { type DataSourceModels, dataSourceModels } from './data-source-models.ts'
import { type DataSourceNames, dataSourceNames } from './data-source-names.ts'
import { type DiscoveryMethods, discoveryMethods } from './discover.ts'
import { type ModelBuilder, modelBuilderOf } from './model-builder.ts'
import { isActual, migrateModels } from './migrate-models.ts'
import { acceptTransaction, runScriptTransaction } from './run-script-transaction.ts'
import { scriptConnector } from './script-connector.ts'
import { beginScriptTransaction } from './script-transaction.ts'

/** A data source as scripts see it. It emits `connected`, `disconnected` and `error`. */
export interface ScriptDataSource
  extends EventEmitter, DiscoveryMethods, ConnectionMembers, DataSourceModels, DataSourceNames {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  /** What runs statements of the database's own, or LoopBack's connector itself; undefined where it is not installed. */
  readonly connector: unknown
  /** Alias of `connector`. */
  readonly adapter: unknown
  readonly modelBuilder: ModelBuilder
  /** The application, where it is one of its own. */
  app?: ScriptApp
  readonly connect: ScriptFunction
  readonly ping: ScriptFunction
  readonly disconnect: ScriptFunction
  /** Makes the database ready for the models that are named, or all of them; their records are removed. */
  readonly automigrate: ScriptFunction
  /** Makes the database ready for the models that are named, or all of them; their records stay. */
  readonly autoupdate: ScriptFunction
  /** Whether the database has all that the models require. */
  readonly isActual: ScriptFunction
  /** Begins a transaction that the script ends: `{ isolationLevel, timeout }`. */
  readonly beginTransaction: ScriptFunction
  /** Runs a function with the models in a transaction, which ends with it. */
  readonly transaction: ScriptFunction
}

/** Members of LoopBack's data sources that are not there, with what to use. */
export const missingOfDataSources: Replacements = {
  copyModel: 'extend the model under another name, and attach that one',
  defineOperation: 'put a function on the model and declare it by Model.remoteMethod',
  getOperation: 'use Model.sharedClass.findMethodByName',
  enableRemote: 'use Model.remoteMethod or options.remoting.sharedMethods',
  disableRemote: 'use Model.disableRemoteMethodByName',
  mixin: 'use Model.mixin',
  operations: 'use Model.sharedClass.methods()',
  freeze: 'data sources do not change their models',
  getMaxOfflineRequests: 'calls wait for the connection by themselves',
  queueInvocation: 'calls wait for the connection by themselves',
  ready: 'calls wait for the connection by themselves',
  setup: 'make another data source by loopback.createDataSource',
  log: 'use the log of the server',
  discoverModelDefinitionsSync: 'use discoverModelDefinitions',
  discoverModelPropertiesSync: 'use discoverModelProperties',
  discoverPrimaryKeysSync: 'use discoverPrimaryKeys',
  discoverForeignKeysSync: 'use discoverForeignKeys',
  discoverExportedForeignKeysSync: 'use discoverExportedForeignKeys',
  discoverSchemasSync: 'use discoverSchemas',
  discoverAndBuildModelsSync: 'use discoverAndBuildModels'
}

const made = new WeakMap<DataSource, ScriptDataSource>()

/** The script's view of a data source; the same one every time. `name` is that which a script gave it. */
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
