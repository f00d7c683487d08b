import { MemorySettingsSchema } from '@modelwire/connector-memory'
import type { DataSource } from '@modelwire/core/connector'
import { closestName } from '@modelwire/core/plugin'
import { KindGuard, type TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { importConnector } from '../connectors/connector-factories.ts'
import { connectorName } from '../connectors/connector-name.ts'
import type { Application } from '../read-application.ts'
import { messageOf } from '@modelwire/loopback-express'
import type { Finding } from './finding.ts'
import { isLoopbackSetting } from './loopback-settings.ts'

/** The settings of one data source, with the settings schema of its connector. */
interface Examined {
  readonly connector: string
  readonly schema: TObject
  readonly settings: Readonly<Record<string, unknown>>
  readonly placeOf: (setting: string) => { readonly file: string; readonly key: string }
}

/**
 * What connectors would refuse or ignore among the settings of an application's data sources. No connector is made. Those of a
 * package are known where it is installed beside the application.
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

/** The settings schema of a connector: its package exports `NameSettingsSchema`. */
async function schemaOf(folder: Application['folder'], connector: string): Promise<TObject | undefined> {
  if (connector === 'memory') return MemorySettingsSchema
  const exported = importConnector(folder, connector)
  const schema = exported?.[`${connector.charAt(0).toUpperCase()}${connector.slice(1)}SettingsSchema`]
  return KindGuard.IsObject(schema) ? schema : undefined
}

/** LB3: null counts as absent. */
const isSet = (value: unknown): boolean => value !== null && value !== undefined

function wrongTypes({ connector, schema, settings, placeOf }: Examined): Finding[] {
  const present = Object.fromEntries(Object.entries(settings).filter(([, value]) => isSet(value)))
  const problems = [...Value.Errors(schema, present)].map(
    ({ path, message }) => [path.split('/')[1] ?? '', message] as const
  )
  // The first problem of a setting is the most specific.
  return [...new Map(problems.toReversed())].map(([setting, message]) => {
    const reason = `the ${connector} connector's ${setting}: ${message}`
    const { description } = schema.properties[setting] ?? {}
    const advice = `correct it: ${description ?? 'see the settings of the connector'}`
    return { effect: 'fails', ...placeOf(setting), code: 'OPTION_INVALID', reason, advice }
  })
}

function unknownSettings({ connector, schema, settings, placeOf }: Examined): Finding[] {
  const names = Object.keys(schema.properties)
  const unknown = Object.keys(settings).filter((setting) => !names.includes(setting) && isWritten(setting))
  return unknown.map((setting) => {
    const place = placeOf(setting)
    if (isLoopbackSetting(connector, setting))
      return {
        effect: 'info',
        ...place,
        reason: `LoopBack's setting ${setting} has no effect in the ${connector} connector`,
        advice: 'leave it for as long as LoopBack runs the application, too'
      }
    const suggestion = closestName(setting, names)
    const reason = `the ${connector} connector has no setting ${setting}: it is ignored`
    if (suggestion === undefined) return { effect: 'info', ...place, reason, advice: 'remove it, or correct its name' }
    return { effect: 'differs', ...place, reason, advice: `write ${suggestion}` }
  })
}

/** Every data source has these; remarks are written into JSON under names that are none. */
const isWritten = (setting: string): boolean => setting !== 'name' && setting !== 'connector' && /^\w/.test(setting)
