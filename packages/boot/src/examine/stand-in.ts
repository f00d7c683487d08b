import { isFunction } from '../callback-bridge.ts'

const enablesAuth = /\.enableAuth\s*\(/
const declaresMethod = /\.remoteMethod\(\s*['"]([\w.]+)['"]/g
const declaresMethodOf = /\bmodels\.(\w+)\.remoteMethod\(\s*['"]([\w.]+)['"]/g

/**
 * What stands in for the exports of a script that is not run. Called with a model, it declares the remote methods that the
 * script names; called with the application, it switches access control on where the script does.
 */
export function standInFor(source: string): unknown {
  const text = source.replace(/(^|\s)\/\/.*$/gm, '')
  const call = (target: unknown): unknown => {
    if (enablesAuth.test(text)) callMember(target, 'enableAuth', [])
    for (const [, name] of text.matchAll(declaresMethod)) callMember(target, 'remoteMethod', [name, {}])
    for (const [, model = '', name] of text.matchAll(declaresMethodOf))
      callMember(memberOf(memberOf(target, 'models'), model), 'remoteMethod', [name, {}])
    return passOn
  }
  const isOwn = (name: string | symbol): boolean =>
    typeof name === 'symbol' || name === 'then' || name === 'default' || Reflect.has(call, name)
  // Middleware may be a part of what a module exports.
  return new Proxy(call, {
    get: (target, name, receiver: unknown): unknown => (isOwn(name) ? Reflect.get(target, name, receiver) : call)
  })
}

/** A handler of requests, which is never called. */
function passOn(_request: unknown, _response: unknown, next: unknown): void {
  if (isFunction(next)) next()
}

function callMember(target: unknown, name: string, args: readonly unknown[]): void {
  const member = memberOf(target, name)
  if (isFunction(member)) Reflect.apply(member, target, args)
}

function memberOf(target: unknown, name: string): unknown {
  return target === undefined || target === null ? undefined : Reflect.get(Object(target), name)
}
