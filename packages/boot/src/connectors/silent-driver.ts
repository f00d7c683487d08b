import { isFunction } from '../callback-bridge.ts'

/** What the methods of a driver answer that give something else than further objects of the driver. */
const answers: Readonly<Record<string, unknown>> = {
  count: 0,
  countDocuments: 0,
  distinct: [],
  estimatedDocumentCount: 0,
  findOne: null,
  hasNext: false,
  indexes: [],
  next: null,
  toArray: []
}

/** Methods whose function is called for each record: there is none. */
const iterating: ReadonlySet<string> = new Set(['each', 'forEach', 'map'])

/**
 * Stands in for a driver, a database or a collection where there is no database: every method can be called, changes nothing, finds
 * nothing and calls its callback.
 */
export function silentDriver(): unknown {
  const driver: object = new Proxy(() => undefined, {
    get: (_target, name) => {
      if (name === Symbol.iterator || name === Symbol.asyncIterator) return () => [].values()
      if (typeof name === 'symbol' || name === 'then') return undefined
      return (...args: unknown[]) => {
        const answer = Object.hasOwn(answers, name) ? answers[name] : driver
        const callback = args.at(-1)
        if (isFunction(callback) && !iterating.has(name)) setImmediate(callback, null, answer)
        return answer
      }
    },
    apply: () => driver
  })
  return driver
}
