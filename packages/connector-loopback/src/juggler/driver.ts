import { ConnectorTimeout } from '../errors.ts'

/**
 * Stands for a method of data access in `DataAccessObject`. Connectors whose models are to have data access copy these; the
 * models have methods of their own, which reach the connector by a collection.
 */
const makeStandIn = (name: string): AnyFunction =>
  function () {
    throw new TypeError(`${name} is a method of models`)
  }

const accessMethods = [
  'create',
  'find',
  'findById',
  'findOne',
  'count',
  'updateAll',
  'destroyAll',
  'updateOrCreate',
  'exists'
]

/** The stand-ins by name. */
export const dataAccessNames: Readonly<Record<string, AnyFunction>> = Object.fromEntries(
  accessMethods.map((name) => [name, makeStandIn(name)])
)

const standIns: ReadonlySet<unknown> = new Set(Object.values(dataAccessNames))

/** True for the parts of a connector's `DataAccessObject` that are LoopBack's default. */
export const isDataAccess = (fn: unknown): boolean => standIns.has(fn)

const defaultCallTimeout = 60_000

/**
 * The value of `juggler.KeyValueAccessObject`. It marks a connector as a key-value store: its models get the methods of
 * `@modelwire/key-value`.
 */
export const keyValueAccess: AnyFunction = function KeyValueAccessObject() {}

/** A function of a LoopBack connector, of its modules or of an application. */
export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

/** A connector as created by a LoopBack module. Its abilities are detected by inspection. */
export type Driver = object

/** True for functions and classes. */
export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}

/** True for values that can have properties: objects and functions. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** A property of an object, own or inherited; undefined for other values. */
export function partOf(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined
}

/** A method of an object; undefined if it has none of that name. */
export function methodOf(value: unknown, name: string): AnyFunction | undefined {
  const found = partOf(value, name)
  return isFunction(found) ? found : undefined
}

/** True for any value with a method `then`. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return methodOf(value, 'then') !== undefined
}

/** The methods on the prototype of a constructor such as LoopBack's `DataAccessObject`. */
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

/** Milliseconds that a connector may take to call back while other work waits: the setting `callTimeout` of its data source. */
export function callTimeoutOf(settings: Readonly<Record<string, unknown>>): number {
  const wanted = Number(settings['callTimeout'])
  return wanted > 0 ? wanted : defaultCallTimeout
}

/**
 * The result of `promise`, or a rejection if it takes too long.
 * @throws {ConnectorTimeout}
 */
export async function limitCall<Result>(promise: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const error = new ConnectorTimeout(`the connector did not call its callback within ${milliseconds} ms`)
    timer = setTimeout(reject, milliseconds, error)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
