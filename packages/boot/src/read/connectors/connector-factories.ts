import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Connector } from '@modelwire/core/connector'
import { closestName } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { memory, transient } from '@modelwire/connector-memory'
import { kvMemory } from '@modelwire/key-value'
import { isFunction, resolveFrom } from '@modelwire/loopback/express'
import { type AppFolder, isFile } from '../files/app-folder.ts'
import type { Effect } from '../../boot-report.ts'
import { readJsonFile } from '../files/read-json-file.ts'
import { UnknownConnector } from '@modelwire/loopback/api'
import { loadNodemailer, type MailLog, type SettingsPlace } from '../mail/mail-settings.ts'
import { MailConnector } from '../mail/mail-connector.ts'
import { AbsentConnector, connectorName, isPathOfConnector, loopbackFactory } from './loopback-connectors.ts'

/** Creates a connector from the settings of a data source. */
export type ConnectorFactory = (settings: Readonly<Record<string, unknown>>) => Connector

/** Connectors by the name used in `datasources.json`. */
export type ConnectorFactories = Readonly<Record<string, ConnectorFactory>>

/** The environment that connectors are created in. */
export interface ConnectorHome {
  readonly folder: AppFolder
  readonly log: MailLog
}

/** The package of a connector that is not installed. */
export interface AbsentPackage {
  /** The connector as named by the data source. */
  readonly connector: string
  /** Undefined if the connector is a file. */
  readonly name: string | undefined
  /** True if it belongs to Modelwire. */
  readonly isOwn: boolean
  /** What to do about it. */
  readonly advice: string
  /** LoopBack's own connector is installed, and used instead. */
  readonly isReplaced: boolean
}

/**
 * Returns the factory of a connector. If there is none, returns one whose data source fails with 501, so that the rest of
 * the application can be served.
 * @param place where the data source is configured
 * @param onAbsent is called with the package that is not installed
 * @throws {UnknownConnector} no connector has this name: neither Modelwire nor LoopBack has one, and the application's
 * package.json names none; or a package of this name exports none
 */
export function findConnectorFactory(
  home: ConnectorHome,
  written: string,
  own: ConnectorFactories,
  place: SettingsPlace,
  onAbsent: (absent: AbsentPackage) => void = () => {}
): ConnectorFactory {
  const found = availableFactory(home, written, own, place)
  if (found !== undefined) return found
  const absent = absentPackage(written)
  const replacing = loopbackFactory(home.folder, written)
  if (replacing !== undefined) {
    if (absent.isOwn) onAbsent({ ...absent, isReplaced: true })
    return replacing
  }
  const { advice } = absent
  // LB3: a name that means nothing stops the start; pinned by config/unknown-connector.
  if (!isMeant(home.folder, written))
    throw new UnknownConnector(`unknown connector "${written}": ${advice}`, connectorKey(place))
  onAbsent(absent)
  return () => new AbsentConnector(written, advice)
}

/**
 * The factory of a connector that was not written for LoopBack: one of `own`, a built-in one, or the one of the package
 * `@modelwire/connector-NAME` that is installed beside the application.
 * @throws {UnknownConnector} a package has the connector's name and exports none
 */
function availableFactory(
  home: ConnectorHome,
  written: string,
  own: ConnectorFactories,
  place: SettingsPlace
): ConnectorFactory | undefined {
  if (isPathOfConnector(written)) return own[written]
  const name = connectorName(written)
  return own[written] ?? own[name] ?? builtIn(home, place)[name] ?? installed(home.folder, name, place)
}

function builtIn({ folder, log }: ConnectorHome, place: SettingsPlace): ConnectorFactories {
  return {
    memory: (settings) => memory(withFileBelow(folder.root, settings)),
    transient: () => transient(),
    'kv-memory': () => kvMemory(),
    mail: (settings) => new MailConnector(settings, { nodemailer: loadNodemailer(), folder, log, place })
  }
}

/** The memory connector's file is relative to the application, wherever the process was started. */
function withFileBelow(root: string, settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { file, ...others } = settings
  // Generators write an empty name where records are kept in memory alone.
  if (file === '') return others
  return typeof file === 'string' ? { ...settings, file: resolve(root, file) } : settings
}

/** Connectors that need no package, by their names. */
const builtInConnectors: readonly string[] = ['memory', 'transient', 'kv-memory', 'mail']
/** Connectors that there are packages for. */
const packagedConnectors: readonly string[] = [
  'mongodb',
  'postgresql',
  'mysql',
  'sqlite',
  'kv-redis',
  'loopback-component-storage'
]

/** The modules of connectors that have no package `@modelwire/connector-NAME`. */
const otherModules: ReadonlyMap<string, string> = new Map([
  ['kv-redis', '@modelwire/redis/key-value'],
  ['loopback-component-storage', '@modelwire/storage']
])

/** The module that exports the factory of a connector. */
export const connectorModule = (name: string): string => otherModules.get(name) ?? `@modelwire/connector-${name}`

/** The package of a module such as `@modelwire/redis/key-value`. */
const packageOf = (module: string): string => module.split('/', 2).join('/')

/** Databases and services that there are packages of LoopBack for. */
const ofLoopback: readonly string[] = [
  'cassandra',
  'cloudant',
  'couchdb2',
  'db2',
  'mssql',
  'openapi',
  'oracle',
  'remote',
  'rest',
  'soap'
]

/** True for a connector that could be installed: of ours or of LoopBack's, a file, or a dependency of the application. */
function isMeant(folder: AppFolder, written: string): boolean {
  const name = connectorName(written)
  if (isPathOfConnector(written) || [...packagedConnectors, ...ofLoopback].includes(name)) return true
  const manifest = join(folder.root, 'package.json')
  const read = isFile(manifest) ? readJsonFile(folder, manifest) : {}
  const { dependencies } = isPlainObject(read) ? read : {}
  return isPlainObject(dependencies) && [written, `loopback-connector-${written}`].some((each) => each in dependencies)
}

/** The package that is needed for a connector that is not there. */
function absentPackage(written: string): AbsentPackage {
  const none = { connector: written, name: undefined, isOwn: false, isReplaced: false }
  if (isPathOfConnector(written)) return { ...none, advice: 'the file does not exist' }
  const name = connectorName(written)
  if (packagedConnectors.includes(name)) {
    const own = packageOf(connectorModule(name))
    return { ...none, name: own, isOwn: true, advice: `npm install ${own}` }
  }
  const suggestion = closestName(name, [...packagedConnectors, ...builtInConnectors, ...ofLoopback])
  if (suggestion !== undefined && suggestion !== name) return { ...none, advice: `did you mean "${suggestion}"?` }
  const ofOthers = written.startsWith('loopback-') ? written : `loopback-connector-${written}`
  return { ...none, name: ofOthers, advice: `npm install ${ofOthers}` }
}

/** The message for a connector whose package is not installed. */
export function absentReason({ connector, isReplaced }: AbsentPackage): string {
  return isReplaced
    ? "LoopBack's own connector is used: migrate and discover require Modelwire's connector"
    : `the connector "${connector}" is not installed: calls that use the data source return 501`
}

/** A connector that cannot be used, or that is replaced by another one. */
export interface ConnectorProblem {
  readonly effect: Effect
  /** The code of the error at startup. */
  readonly code?: string
  readonly reason: string
  readonly advice: string
}

/** The problem with the connector of a data source, found without creating it; undefined if there is none. */
export function connectorProblem(folder: AppFolder, written: string): ConnectorProblem | undefined {
  const name = connectorName(written)
  if (builtInConnectors.includes(name) || pathOfConnector(folder, name) !== undefined) return undefined
  const absent = absentPackage(written)
  const { advice, isOwn } = absent
  if (loopbackFactory(folder, written) !== undefined)
    return isOwn ? { effect: 'info', reason: absentReason({ ...absent, isReplaced: true }), advice } : undefined
  if (!isMeant(folder, written))
    return { effect: 'fails', code: 'CONNECTOR_UNKNOWN', reason: `unknown connector "${written}"`, advice }
  return { effect: 'fails', code: 'CONNECTOR_MISSING', reason: absentReason(absent), advice }
}

/**
 * The factory of the package `@modelwire/connector-NAME`; undefined if it is not installed in the application.
 * @throws {UnknownConnector} the package exports none
 */
export function installed(folder: AppFolder, name: string, place: SettingsPlace): ConnectorFactory | undefined {
  const module = importConnector(folder, name)
  if (module === undefined) return undefined
  const factory = module['default'] ?? module[name]
  if (isFunction(factory)) {
    const make = factory as ConnectorFactory // packages of this name export a factory
    return (settings) => make(withRootBelow(folder.root, name, settings))
  }
  throw new UnknownConnector(`${connectorModule(name)} exports no connector`, connectorKey(place))
}

/** The folder of a storage is relative to the application, as in LoopBack. */
function withRootBelow(
  folder: string,
  name: string,
  settings: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> {
  const { root } = settings
  const isOurs = name === 'loopback-component-storage' && typeof root === 'string' && root !== ''
  return isOurs ? { ...settings, root: resolve(folder, root) } : settings
}

/** Imports the package of a connector; undefined if it is not installed in the application. */
export function importConnector(folder: AppFolder, name: string): Readonly<Record<string, unknown>> | undefined {
  const path = pathOfConnector(folder, name)
  if (path === undefined) return undefined
  return createRequire(path)(path) as Readonly<Record<string, unknown>> // a module is an object
}

/** Where the package of a connector is installed; undefined where it is not. */
function pathOfConnector({ root, serverDir, packageFolders }: AppFolder, name: string): string | undefined {
  return resolveFrom([serverDir, root, ...packageFolders], connectorModule(name))
}

const connectorKey = ({ file, key }: SettingsPlace): SettingsPlace => ({ file, key: `${key}.connector` })
