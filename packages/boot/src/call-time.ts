import { answerHook, methodString, writtenPath } from '@modelwire/core/plugin'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MethodTimeout } from './errors.ts'

/**
 * Answers every call of the REST API that takes longer than `milliseconds` with an error that names model and method: a
 * method, hook or rule may have forgotten its callback. 0 waits forever. Reading the request does not count.
 * @throws {MethodTimeout} (each call) it takes longer
 */
export function limitCallTime(scope: FastifyInstance, milliseconds: number): void {
  if (milliseconds === 0) return
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>()
  scope.addHook('preValidation', async (request, reply) => {
    timers.set(
      request,
      setTimeout(() => giveUp(request, reply, milliseconds), milliseconds)
    )
  })
  const stop = (request: FastifyRequest): void => clearTimeout(timers.get(request))
  scope.addHook('onSend', answerHook('end of the time limit', stop))
  // A method may have answered through the response itself.
  scope.addHook('onResponse', async (request) => stop(request))
}

function giveUp(request: FastifyRequest, reply: FastifyReply, milliseconds: number): void {
  if (reply.sent || reply.raw.headersSent) return
  const { operation } = request.routeOptions.config
  const name = operation === undefined ? writtenPath(request) : methodString(operation)
  void reply.send(new MethodTimeout(`${name} did not answer within ${milliseconds} ms`))
}
