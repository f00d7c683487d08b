import type { ModelRegistry } from '@modelwire/core'

/** Models that accounts know, as LoopBack's `User.setup` puts them there. */
const modelNames = { email: 'Email', accessToken: 'AccessToken' } as const

/** Gives models of accounts `User.email` and `User.accessToken`: the built-in models. Scripts may put others there. */
export function addUserMembers(registry: ModelRegistry): void {
  const user = registry.find('User')?.modelClass
  if (user === undefined) return
  for (const [member, name] of Object.entries(modelNames)) {
    if (Object.hasOwn(user, member)) continue
    Object.defineProperty(user, member, {
      get: () => registry.find(name)?.modelClass,
      set(this: object, value: unknown) {
        Object.defineProperty(this, member, { value, writable: true, configurable: true, enumerable: false })
      },
      configurable: true,
      enumerable: false
    })
  }
}
