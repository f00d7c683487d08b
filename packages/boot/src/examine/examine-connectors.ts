import { DefinitionError } from '@modelwire/core'
import { isPlainObject } from '@modelwire/core/plugin'
import { absentPackage, builtInConnectors, isMeant, pathOfConnector } from '../connectors/connector-factories.ts'
import { connectorName } from '../connectors/connector-name.ts'
import { absentReason } from '../connectors/create-data-sources.ts'
import { loopbackFactory } from '../connectors/loopback-connectors.ts'
import { checkTransport, readTransports } from '../mail/mail-settings.ts'
import type { Application } from '../read-application.ts'
import { type Finding, findingOf } from './finding.ts'

const builtIn = new Set(builtInConnectors)

/** What is wrong with the connectors of an application's data sources. None is made, so no database is contacted. */
export function examineConnectors(application: Application, own: ReadonlySet<string>): Finding[] {
  return Object.keys(application.dataSources.value).flatMap((name) => examineConnector(application, name, own))
}

function examineConnector(application: Application, name: string, own: ReadonlySet<string>): Finding[] {
  const settings = application.dataSources.value[name]
  // What is not an object is reported when the data sources are read.
  if (!isPlainObject(settings)) return []
  const file = application.dataSources.fileOf(name)
  const written = settings['connector'] ?? name
  const place = { effect: 'fails', file, key: `${name}.connector` } as const
  // Code may give the connector's module; what it is shows when the connector is made.
  if (typeof written !== 'string') return []
  const short = connectorName(written)
  if (own.has(written) || own.has(short)) return []
  if (short === 'mail') return examineMail(settings, file, name)
  if (builtIn.has(short) || pathOfConnector(application.folder, short) !== undefined) return []
  const absent = absentPackage(written)
  const { advice } = absent
  if (loopbackFactory(application.folder, written) !== undefined)
    return absent.isOwn
      ? [{ ...place, effect: 'info', reason: absentReason({ ...absent, isReplaced: true }), advice }]
      : []
  if (!isMeant(application.folder, written))
    return [{ ...place, code: 'CONNECTOR_UNKNOWN', reason: `no connector is named "${written}"`, advice }]
  return [{ ...place, code: 'CONNECTOR_MISSING', reason: absentReason(absent), advice }]
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
