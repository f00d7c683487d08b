/** A function of a LoopBack connector, of its modules or of an application. */
export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

/** A connector as a LoopBack module makes it. What it can do is found out by looking at it. */
export type Driver = object

/** True for functions and classes. */
export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}

/** True for what can have properties: objects and functions. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** A property of an object, its own or an inherited one; undefined for anything else. */
export function partOf(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined
}

/** A method of an object; undefined when it has none of that name. */
export function methodOf(value: unknown, name: string): AnyFunction | undefined {
  const found = partOf(value, name)
  return isFunction(found) ? found : undefined
}

/** True for whatever has a method `then`. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return methodOf(value, 'then') !== undefined
}

/** A constructor whose prototype has the methods of an interface, as LoopBack's `DataAccessObject` is. */
export function functionsOf(owner: unknown): readonly (readonly [name: string, fn: AnyFunction])[] {
  const found: [string, AnyFunction][] = []
  if (!isObject(owner)) return found
  for (const name of namesOf(owner)) {
    const fn = methodOf(owner, name)
    if (fn !== undefined) found.push([name, fn])
  }
  return found
}

/** Enumerable names, inherited ones as well: connectors derive their interfaces from each other. */
function namesOf(owner: object): readonly string[] {
  const names: string[] = []
  for (const name in owner) names.push(name)
  return names
}
