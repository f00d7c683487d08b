import type { Application } from '../read-application.ts'
import { checkConfig, RemotingSchema, type Settings } from './settings-schema.ts'

type Remoting = NonNullable<Settings['remoting']>

/**
 * The setting `remoting` of the REST API: that of `config.json`, or what a script set before the first model was shared.
 * @throws {ConfigValueInvalid} a key has the wrong type
 */
export function remotingSetting({ settings, config }: Pick<Application, 'settings' | 'config'>): Remoting {
  return checkConfig(RemotingSchema, settings.fix('remoting') ?? {}, config, ['remoting'])
}
