import type { Collection, Connector } from '@modelwire/core/connector'

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Gives what waits until nothing is asked of a connector's collections any more; those of models that are attached later. */
export function watchReads(connector: Connector): () => Promise<void> {
  let busy = 0
  const counted = async (work: () => unknown): Promise<unknown> => {
    busy++
    try {
      return await work()
    } finally {
      busy--
    }
  }
  const open = connector.collection.bind(connector)
  connector.collection = (model) => watched(open(model), counted)
  return async () => {
    for (let quiet = 0; quiet < 5; quiet = busy === 0 ? quiet + 1 : 0) await pause()
  }
}

function watched(collection: Collection, counted: (work: () => unknown) => Promise<unknown>): Collection {
  return new Proxy(collection, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...given: unknown[]) => counted(() => Reflect.apply(member, target, given))
    }
  })
}
