import type { FastifyInstance } from 'fastify'
import { MethodNotAllowed } from '../errors.ts'

/**
 * Refuses GET at the path of an endpoint that takes POST alone. Whoever sends secrets in the query by mistake would find
 * them in the log otherwise, and in the answer: servers write the address of what they do not find.
 */
export function refuseGet(scope: FastifyInstance, path: string): void {
  scope.get(path, { exposeHeadRoute: false }, () =>
    Promise.reject(new MethodNotAllowed('the method must be POST', { headers: { allow: 'POST' } }))
  )
}
