import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import type { ModelRegistry } from '@modelwire/core'
import { isPlainObject } from '@modelwire/core/plugin'

/**
 * Closes the access rules of all models: routes are guarded by what they are now, and a rule that a script adds later would
 * have no effect.
 */
export function closeRules(registry: ModelRegistry): void {
  for (const name of registry.names()) {
    const { definition } = registry.typeOf(name)
    const refuse = (): never => {
      throw new ScriptArgumentInvalid('access rules of models cannot change after the start; ACL.create stores some', {
        model: name,
        key: 'acls'
      })
    }
    const closed = { set: refuse, defineProperty: refuse, deleteProperty: refuse }
    const acls =
      definition.acls &&
      new Proxy(
        definition.acls.map((rule) => (isPlainObject(rule) ? new Proxy(rule, closed) : rule)),
        closed
      )
    Object.defineProperty(definition, 'acls', {
      get: () => acls,
      set: refuse,
      enumerable: acls !== undefined,
      configurable: true
    })
  }
}
