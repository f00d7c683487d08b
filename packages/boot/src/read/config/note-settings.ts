import type { AddNote, NoteDetails } from '../../boot-report.ts'
import type { Config } from './read-config.ts'
import { RemotingSchema, type Settings } from './settings-schema.ts'

type Remoting = NonNullable<Settings['remoting']>

const restNames = Object.keys(RemotingSchema.properties.rest.properties)
const remotingNames = Object.keys(RemotingSchema.properties)

/** Reports which settings of `config.json` are not honoured. Unknown keys are the application's own. */
export function noteSettings(settings: Settings, config: Config, version: 2 | 3, add: AddNote): void {
  const { remoting = {} } = settings
  const note = (level: 'ignored' | 'differs', key: string, reason: string, details: NoteDetails): void => {
    add(level, { file: config.fileOf(key.split('.')[0] ?? ''), key }, reason, details)
  }
  for (const key of unknownKeys(remoting))
    note('ignored', key, 'unknown key', {
      effect: 'differs',
      advice: 'remove it unless your own code reads it'
    })
  if (remoting.rest?.handleErrors === true && version === 2) {
    note('ignored', 'remoting.rest.handleErrors', 'errors are always answered by the error handler of this server', {
      effect: 'differs',
      advice: 'set it to false'
    })
  }
  if (settings.legacyExplorer === true) {
    note(
      'ignored',
      'legacyExplorer',
      'the routes /models and /routes of version 2 do not exist; read /explorer/swagger.json',
      { advice: 'remove the setting once no client reads these routes' }
    )
  }
  if (version === 2) return
  for (const name of removedSettings(remoting)) {
    note(
      'differs',
      `remoting.${name}`,
      'version 3 removed this setting: every REST API request fails with 500 until it is false or removed',
      { effect: 'fails', advice: 'set it to false; CORS is configured in middleware.json' }
    )
  }
}

/**
 * The keys of `remoting` that make every request fail in version 3.
 * @see recording errors/remoting-cors
 */
export function removedSettings(remoting: Remoting): ('context' | 'cors')[] {
  return (['context', 'cors'] as const).filter((name) => remoting[name] !== undefined && remoting[name] !== false)
}

function unknownKeys(remoting: Remoting): string[] {
  const own = Object.keys(remoting).filter((name) => !remotingNames.includes(name))
  const rest = Object.keys(remoting.rest ?? {}).filter((name) => !restNames.includes(name))
  return [...own.map((name) => `remoting.${name}`), ...rest.map((name) => `remoting.rest.${name}`)]
}
