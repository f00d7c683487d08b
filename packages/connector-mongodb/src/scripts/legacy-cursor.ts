import { acceptCallback, type AnyFunction, isFunction } from './accept-callback.ts'

/** The parts of a cursor of the driver that are used here. */
interface Cursor {
  forEach(iterator: AnyFunction): Promise<unknown>
  [Symbol.asyncIterator](): AsyncIterator<unknown>
}

/** Methods of cursors that take a callback. Others take functions of other kinds, or none. */
const answering: ReadonlySet<string | symbol> = new Set([
  'toArray',
  'next',
  'hasNext',
  'tryNext',
  'count',
  'close',
  'explain'
])

/** True for a cursor of the driver. */
export const isCursor = (value: unknown): value is Cursor =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'toArray' in value

/** A cursor that takes callbacks, and has `each`, as drivers before version 5 had them. */
export function legacyCursor(cursor: Cursor): object {
  const own: Readonly<Record<string | symbol, AnyFunction>> = {
    each: (callback) => (isFunction(callback) ? void each(cursor, callback) : undefined),
    // With one argument only it is what is called for each document.
    forEach: (iterator, ...rest) =>
      acceptCallback(async () => (isFunction(iterator) ? cursor.forEach(iterator) : undefined))(...rest)
  }
  const proxy: object = new Proxy(cursor, {
    get(target, name) {
      const ownMethod = own[name]
      if (ownMethod !== undefined) return ownMethod
      const method: unknown = Reflect.get(target, name, target)
      if (!isFunction(method)) return method
      const bound: AnyFunction = (...args) => {
        const result = method.apply(target, [...args])
        return result === target ? proxy : result
      }
      return answering.has(name) ? acceptCallback(bound) : bound
    }
  })
  return proxy
}

/** Calls back with each document, and in the end with null. */
async function each(cursor: Cursor, callback: AnyFunction): Promise<void> {
  const documents = cursor[Symbol.asyncIterator]()
  for (;;) {
    const [next] = await Promise.allSettled([documents.next()])
    if (next.status === 'rejected') return void callback(next.reason)
    const isOver = next.value.done === true
    callback(null, isOver ? null : next.value.value)
    if (isOver) return
  }
}
