import type { Handler } from './express-module.ts'

/** Leaves a router: what comes next is up to Fastify. */
export const leave: Handler = (_request, _response, next) => next('router')

/** Stands where LoopBack has a handler that Fastify takes care of. */
export const skip: Handler = (_request, _response, next) => next()
