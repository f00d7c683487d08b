import { MemorySettingsSchema } from '@modelwire/connector-memory'
import { DefinitionError } from '@modelwire/core'
import type { DataSource } from '@modelwire/core/connector'
import { closestName } from '@modelwire/core/plugin'
import { describeProblem, isPlainObject } from '@modelwire/server'
import { KindGuard, type TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import {
  type Application,
  checkTransport,
  connectorProblem,
  importConnector,
  readTransports
} from '@modelwire/boot/check'
import { connectorName } from '@modelwire/boot'
import { messageOf } from '@modelwire/loopback/express'
import { type Finding, findingOf } from './finding.ts'

/** Settings that every connector of LoopBack takes. */
const ofAll = [
  'adapter',
  'allowExtendedOperators',
  'connectionTimeout',
  'connector',
  'defaultIdSort',
  'description',
  'localStorage',
  'maxDepthOfData',
  'maxDepthOfQuery',
  'name',
  'prohibitHiddenPropertiesInQuery',
  'strictFilter'
]

/** Settings of LoopBack's connectors that they, or their drivers, take. */
const ofDrivers: Readonly<Record<string, readonly string[]>> = {
  mongodb: [
    'acceptableLatencyMS',
    'autoReconnect',
    'auto_reconnect',
    'bufferMaxEntries',
    'connectWithNoPrimary',
    'disableSanitization',
    'domainsEnabled',
    'enableOptimisedFindOrCreate',
    'enableOptimisedfindOrCreate',
    'enableOptimizedFindOrCreate',
    'enableOptimizedfindOrCreate',
    'fsync',
    'ha',
    'haInterval',
    'ignoreUndefined',
    'implicitNullType',
    'keepAlive',
    'keepAliveInitialDelay',
    'logger',
    'loggerLevel',
    'maxStalenessSeconds',
    'native_parser',
    'numberOfRetries',
    'promiseLibrary',
    'promoteBuffers',
    'promoteLongs',
    'promoteValues',
    'raw',
    'reconnectInterval',
    'reconnectTries',
    'safe',
    'secondaryAcceptableLatencyMS',
    'serializeFunctions',
    'useNewUrlParser',
    'useUnifiedTopology',
    'validateOptions'
  ],
  postgresql: [
    'application_name',
    'binary',
    'client_encoding',
    'connectionString',
    'connectionTimeoutMillis',
    'keepAlive',
    'poolSize',
    'protocol',
    'query_timeout',
    'statement_timeout'
  ],
  mysql: [
    'acquireTimeout',
    'bigNumberStrings',
    'collation',
    'createDatabase',
    'dateStrings',
    'enableKeepAlive',
    'flags',
    'insecureAuth',
    'localAddress',
    'multipleStatements',
    'protocol',
    'queryFormat',
    'queueLimit',
    'stringifyObjects',
    'supportBigNumbers',
    'trace',
    'typeCast',
    'waitForConnections'
  ],
  sqlite: ['file_name', 'mode', 'verbose'],
  'loopback-component-storage': ['partSize', 'queueSize']
}

/** The settings of one data source, with the settings schema of its connector. */
interface Examined {
  readonly connector: string
  readonly schema: TObject
  readonly settings: Readonly<Record<string, unknown>>
  readonly placeOf: (setting: string) => { readonly file: string; readonly key: string }
}

/** The problems with the connectors of an application's data sources. None is created, so no database is contacted. */
export function examineConnectors(application: Application, own: ReadonlySet<string>): Finding[] {
  return Object.keys(application.dataSources.value).flatMap((name) => examineConnector(application, name, own))
}

function examineConnector(application: Application, name: string, own: ReadonlySet<string>): Finding[] {
  const settings = application.dataSources.value[name]
  // What is not an object is reported when the data sources are read.
  if (!isPlainObject(settings)) return []
  const file = application.dataSources.fileOf(name)
  const written = settings['connector'] ?? name
  // Code may give the connector's module; what it is shows when the connector is made.
  if (typeof written !== 'string') return []
  const short = connectorName(written)
  if (own.has(written) || own.has(short)) return []
  if (short === 'mail') return examineMail(settings, file, name)
  const problem = connectorProblem(application.folder, written)
  return problem === undefined ? [] : [{ file, key: `${name}.connector`, ...problem }]
}

function examineMail(settings: Record<string, unknown>, file: string, key: string): Finding[] {
  try {
    for (const placed of readTransports(settings, { file, key })) checkTransport(placed.settings, placed.place)
    return []
  } catch (error) {
    if (error instanceof DefinitionError) return [findingOf(error, file)]
    throw error
  }
}

/**
 * The data source settings of an application that connectors would refuse or ignore. No connector is created. Those of a
 * package are known if it is installed in the application.
 */
export async function examineSettings(
  application: Application,
  sources: Iterable<DataSource>,
  own: ReadonlySet<string>
): Promise<Finding[]> {
  const found = await Promise.all(Array.from(sources, async (source) => examineSource(application, source, own)))
  return found.flat()
}

async function examineSource(
  { folder, dataSources }: Application,
  { name, settings }: DataSource,
  own: ReadonlySet<string>
): Promise<Finding[]> {
  const written = String(settings['connector'] ?? name)
  const connector = connectorName(written)
  if (own.has(written) || own.has(connector)) return []
  const placeOf = (setting: string) => ({ file: dataSources.fileOf(name, setting), key: `${name}.${setting}` })
  try {
    const schema = await schemaOf(folder, connector)
    const examined = schema && { connector, schema, settings, placeOf }
    return examined === undefined ? [] : [...wrongTypes(examined), ...unknownSettings(examined)]
  } catch (error) {
    const reason = `the ${connector} connector cannot be loaded: ${messageOf(error)}`
    return [{ effect: 'fails', ...placeOf('connector'), reason, advice: 'install its package again' }]
  }
}

/** The settings schema of a connector: its module exports one, such as `MysqlSettingsSchema`. */
async function schemaOf(folder: Application['folder'], connector: string): Promise<TObject | undefined> {
  if (connector === 'memory') return MemorySettingsSchema
  const exported = Object.entries(importConnector(folder, connector) ?? {})
  const schema = exported.find(([name]) => name.endsWith('SettingsSchema'))?.[1]
  return KindGuard.IsObject(schema) ? schema : undefined
}

function wrongTypes({ connector, schema, settings, placeOf }: Examined): Finding[] {
  // LB3: null counts as absent, and for connectors whose schema says so an empty string does, too.
  const absent: readonly unknown[] = schema['emptyIsAbsent'] === true ? [null, undefined, ''] : [null, undefined]
  const present = Object.fromEntries(Object.entries(settings).filter(([, value]) => !absent.includes(value)))
  const problems = [...Value.Errors(schema, present)].map(
    (problem) => [problem.path.split('/')[1] ?? '', describeProblem(problem)] as const
  )
  // The first problem of a setting is the most specific.
  return [...new Map(problems.toReversed())].map(([setting, { key, text }]) => {
    const reason = `the ${connector} connector's ${key}: ${text}`
    const { description } = schema.properties[setting] ?? {}
    const advice = `correct it: ${description ?? 'see the settings of the connector'}`
    return { effect: 'fails', ...placeOf(setting), code: 'OPTION_INVALID', reason, advice }
  })
}

function unknownSettings({ connector, schema, settings, placeOf }: Examined): Finding[] {
  // Others are those of its driver.
  if (schema.additionalProperties === true) return []
  const names = Object.keys(schema.properties)
  const unknown = Object.keys(settings).filter((setting) => !names.includes(setting) && isWritten(setting))
  return unknown.map((setting) => {
    const place = placeOf(setting)
    if (isLoopbackSetting(connector, setting))
      return {
        effect: 'info',
        ...place,
        reason: `LoopBack's setting ${setting} has no effect in the ${connector} connector`,
        advice: 'keep it as long as LoopBack also runs the application'
      }
    const suggestion = closestName(setting, names)
    const reason = `the ${connector} connector has no setting ${setting}: it is ignored`
    if (suggestion === undefined) return { effect: 'info', ...place, reason, advice: 'remove it, or correct its name' }
    return { effect: 'differs', ...place, reason, advice: `write ${suggestion}` }
  })
}

/** Settings that are not the connector's to read. */
const ofEverySource: readonly string[] = ['name', 'connector', 'normalizeUndefinedInQuery']

/** Remarks are written into JSON under names that are none. */
const isWritten = (setting: string): boolean => !ofEverySource.includes(setting) && /^\w/.test(setting)

/** Settings that LoopBack's connector of this name takes, or every one of them, and that have no effect here. */
function isLoopbackSetting(connector: string, setting: string): boolean {
  return ofAll.includes(setting) || ofDrivers[connector]?.includes(setting) === true
}
