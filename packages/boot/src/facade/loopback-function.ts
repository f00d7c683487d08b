import type { Facade } from './facade.ts'

/**
 * `require('loopback')`: a function that gives an application, with everything that LoopBack's module has, of the application that
 * it gave last.
 */
export function loopbackFunction(facade: Facade): object {
  const target = (): unknown => facade.take().app
  const members = (): object => facade.current().app.loopback
  return new Proxy(target, {
    get: (_target, key) => Reflect.get(members(), key) as unknown,
    has: (_target, key) => Reflect.has(members(), key) || Reflect.has(target, key),
    ownKeys: () => Reflect.ownKeys(members()),
    getOwnPropertyDescriptor: (_target, key) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(members(), key)
      return descriptor && { ...descriptor, configurable: true }
    },
    set: (_target, key, value) => Reflect.set(members(), key, value),
    defineProperty: (_target, key, descriptor) => Reflect.defineProperty(members(), key, descriptor)
  })
}
