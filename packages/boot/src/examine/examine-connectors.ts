import { closestName, DefinitionError, isPlainObject } from '@modelwire/core'
import {
  builtInConnectors,
  connectorName,
  connectorPackage,
  packagedConnectors,
  resolveFrom
} from '../connectors/connector-factories.ts'
import { checkTransport, readTransports } from '../mail/mail-settings.ts'
import type { Application } from '../read-application.ts'
import { type Finding, findingOf } from './finding.ts'

const builtIn = new Set(builtInConnectors)
const packaged = new Set(packagedConnectors)

/** What is wrong with the connectors of an application's data sources. None is made, so no database is contacted. */
export function examineConnectors(application: Application, own: ReadonlySet<string>): Finding[] {
  return Object.keys(application.dataSources.value).flatMap((name) => examineConnector(application, name, own))
}

function examineConnector(application: Application, name: string, own: ReadonlySet<string>): Finding[] {
  const settings = application.dataSources.value[name]
  // What is no object is told when the data sources are read.
  if (!isPlainObject(settings)) return []
  const file = application.dataSources.fileOf(name)
  const written = settings['connector'] ?? name
  const place = { effect: 'fails', file, key: `${name}.connector`, code: 'CONNECTOR_UNKNOWN' } as const
  if (typeof written !== 'string')
    return [{ ...place, reason: 'a connector is named by a text', advice: 'name the connector' }]
  const short = connectorName(written)
  if (own.has(written) || own.has(short)) return []
  if (short === 'mail') return examineMail(settings, file, name)
  return builtIn.has(short) ? [] : examinePackage(application, short).map((found) => ({ ...place, ...found }))
}

function examinePackage({ folder }: Application, short: string): Pick<Finding, 'reason' | 'advice'>[] {
  const name = connectorPackage(short)
  if (resolveFrom([folder.serverDir, folder.root], name) !== undefined) return []
  if (packaged.has(short))
    return [{ reason: `${name} is not installed beside the application`, advice: `npm install ${name}` }]
  const meant = closestName(short, [...packaged, ...builtIn])
  const reason = `there is no connector "${short}": data sources of this kind are not served`
  if (meant !== undefined) return [{ reason, advice: `write "${meant}", if that is what is meant` }]
  return [{ reason, advice: 'write a connector and pass it in the option connectors, or move the data' }]
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
