import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'

/** The result of version 2's `loopback.getCurrentContext()` during a request. */
export interface CurrentContext {
  readonly get: (name: string) => unknown
  readonly set: (name: string, value: unknown) => void
}

/** Values that follow a request through everything it awaits. */
export interface ContextStore {
  /** Null outside of requests. */
  readonly current: () => CurrentContext | null
  /** Gives every request of a scope its own values. */
  readonly register: (scope: FastifyInstance) => void
}

/** Makes the store of one application. @see LoopBack 2: server/middleware/context.js */
export function createContextStore(): ContextStore {
  const storage = new AsyncLocalStorage<CurrentContext>()
  return {
    current: () => storage.getStore() ?? null,
    register: (scope) => {
      // Only a function that runs the rest of the request inside of it can carry the values: hence `done`.
      scope.addHook('onRequest', (request, reply, done) => {
        const values = new Map<string, unknown>([['http', { req: request.raw, res: reply.raw }]])
        storage.run({ get: (name) => values.get(name), set: (name, value) => void values.set(name, value) }, done)
      })
    }
  }
}
