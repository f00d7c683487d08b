import { pathToFileURL } from 'node:url'
import { changes, type ChangesOptions, makeTransport, type TransportSettings } from '@modelwire/changes'
import { isPlainObject } from '@modelwire/core/plugin'
import { resolveFrom } from '@modelwire/loopback-express'
import type { Building } from '../building.ts'
import type { Application } from '../read-application.ts'

/** Makes the transport that plain settings of `config.json` name, by a package beside the application. */
async function withTransport({ folder }: Application, options: ChangesOptions): Promise<ChangesOptions> {
  const { transport } = options
  if (!isPlainObject(transport) || typeof transport['type'] !== 'string') return options
  const { root, serverDir, packageFolders } = folder
  const importPackage = async (name: string): Promise<unknown> => {
    const path = resolveFrom([serverDir, root, ...packageFolders], name)
    return import(path === undefined ? name : pathToFileURL(path).href)
  }
  // The type was looked at, and the package checks the rest.
  return { ...options, transport: await makeTransport(transport as unknown as TransportSettings, importPackage) }
}

/** Reads the logs of models that log their changes, as `changes` of `config.json` says. */
export async function registerChanges({ server, application, context: { registry } }: Building): Promise<void> {
  const options = application.checked.changes
  const areLogged = registry.names().some((name) => registry.typeOf(name).logsChanges)
  if (areLogged || options !== undefined)
    await server.register(changes, await withTransport(application, options ?? {}))
}
