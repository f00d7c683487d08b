import type { Application } from '../read-application.ts'
import { checkConfig, RemotingSchema, type Settings } from './settings-schema.ts'

type Remoting = NonNullable<Settings['remoting']>

/**
 * The setting `remoting` as it is when the REST API is mounted: that of `config.json`, or what a script set in its place.
 * @throws {ConfigValueInvalid} a key has the wrong type
 */
export function remotingSetting({ settings, config }: Pick<Application, 'settings' | 'config'>): Remoting {
  return checkConfig(RemotingSchema, settings.get('remoting') ?? {}, config, ['remoting'])
}
