import type { FastifyInstance } from 'fastify'
import { MethodNotAllowed } from '../errors.ts'

/**
 * Refuses GET at the path of an endpoint that only accepts POST. Otherwise secrets that are sent in the query by
 * mistake would appear in the log and in the 404 answer.
 */
export function refuseGet(scope: FastifyInstance, path: string): void {
  scope.get(path, { exposeHeadRoute: false }, () =>
    Promise.reject(new MethodNotAllowed('the method must be POST', { headers: { allow: 'POST' } }))
  )
}
