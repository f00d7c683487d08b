import type { ModelRegistry } from '@modelwire/core'
import { isPlainObject } from '@modelwire/core/plugin'
import { dataSourceKey } from '../scripts/data-source/data-source-handles.ts'
import { attachScriptModel } from '../scripts/model/attach-script-model.ts'

const names = ['AccessToken', 'ACL', 'RoleMapping', 'Role', 'User'] as const

/** A model of the application replaces the built-in one. */
const isExtended = (registry: ModelRegistry, name: string): boolean =>
  registry.names().some((other) => registry.typeOf(other).base?.name === name)

/**
 * `app.enableAuth({ dataSource })`: gives built-in models that have none a data source. `User` is public then.
 * @throws {UnknownDataSource} there is none of this name
 * @see LoopBack 3: lib/application.js, enableAuth
 */
export function attachAuthModels(registry: ModelRegistry, options: unknown): void {
  const configured = isPlainObject(options) ? options['dataSource'] : undefined
  if (configured === undefined || configured === null) return
  const wanted = dataSourceKey(configured, 'User')
  for (const name of names) {
    const model = registry.find(name)
    const isFree = model !== undefined && model.dataSource === undefined && !isExtended(registry, name)
    if (!isFree) continue
    attachScriptModel(registry, model, wanted)
    model.definition.public = name === 'User'
  }
}
