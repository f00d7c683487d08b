import { types } from 'node:util'
import type { Connector } from '@modelwire/core/connector'

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Gives what waits until nothing is asked of a connector's collections any more, those of models that are attached later, nor of its log. */
export function watchReads(connector: Connector): () => Promise<void> {
  let busy = 0
  const counted = (work: () => unknown): unknown => {
    const result = work()
    if (!types.isPromise(result)) return result
    busy++
    return result.finally(() => busy--)
  }
  const open = connector.collection.bind(connector)
  connector.collection = (model) => watched(open(model), counted)
  const openLog = connector.changeLog?.bind(connector)
  if (openLog !== undefined) connector.changeLog = (models) => watched(openLog(models), counted)
  return async () => {
    for (let quiet = 0; quiet < 5; quiet = busy === 0 ? quiet + 1 : 0) await pause()
  }
}

function watched<Target extends object>(watchedTarget: Target, counted: (work: () => unknown) => unknown): Target {
  return new Proxy(watchedTarget, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: unknown[]) => counted(() => Reflect.apply(member, target, given))
    }
  })
}
