import { changes } from '@modelwire/changes'
import type { Building } from '../building.ts'

/** Reads the logs of models that log their changes, as `changes` of `config.json` says. */
export async function registerChanges({ server, application, context: { registry } }: Building): Promise<void> {
  const options = application.checked.changes
  const areLogged = registry.names().some((name) => registry.typeOf(name).logsChanges)
  if (areLogged || options !== undefined) await server.register(changes, options ?? {})
}
