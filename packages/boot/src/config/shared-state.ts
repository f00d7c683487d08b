import { createRequire } from 'node:module'
import { isPlainObject, type SharedStore } from '@modelwire/core/plugin'
import { resolveFrom } from '@modelwire/loopback-express'
import { isFunction } from '../callback-bridge.ts'
import { ConfigValueInvalid } from '../errors.ts'
import type { Application } from '../read-application.ts'
import { expandConfig } from './expand-variables.ts'

const packageName = '@modelwire/shared-redis'

/** Makes the store of settings that are an object: the package of it is installed beside the application. */
function redisStore({ folder, config }: Application, settings: object): SharedStore {
  const place = { file: config.fileOf('sharedState'), key: 'sharedState' }
  const { root, serverDir, packageFolders } = folder
  const path = resolveFrom([serverDir, root, ...packageFolders], packageName)
  if (path === undefined) throw new ConfigValueInvalid(`an object needs a package: npm install ${packageName}`, place)
  const { redisState } = createRequire(path)(path) as { redisState?: unknown } // a module is an object
  if (!isFunction(redisState)) throw new ConfigValueInvalid(`${packageName} exports no redisState`, place)
  return redisState(settings) as SharedStore // packages of this name export such a function
}

/**
 * What `sharedState` of `config.json` says: the name of a data source, or the settings of Redis.
 * @throws {ConfigValueInvalid} it is neither, or the package for Redis is not installed
 * @throws {InvalidOption} Redis has a setting that is unknown or malformed
 */
export function sharedStateOf(application: Application): string | SharedStore | undefined {
  const { checked, config, findVariable, add } = application
  if (checked.sharedState === undefined) return undefined
  const place = { file: config.fileOf('sharedState'), key: 'sharedState' }
  const value = expandConfig(checked.sharedState, { findVariable, add }, place)
  if (typeof value === 'string') return value
  if (isPlainObject(value)) return redisStore(application, value)
  throw new ConfigValueInvalid('it names a data source, or has the settings of Redis', place)
}
