import type { FastifyRequest, preHandlerHookHandler } from 'fastify'

const asksAdmission: unique symbol = Symbol('asks admission')

type Asking = FastifyRequest & { [asksAdmission]?: true }

/** Has a request end as soon as its caller is admitted: nothing is carried out. */
export function askAdmission(request: Asking): void {
  request[asksAdmission] = true
}

/** The hook behind admission that ends requests which ask for it alone: 204. */
export const endAfterAdmission: preHandlerHookHandler = (request: Asking, reply, done) => {
  if (request[asksAdmission] === true) void reply.code(204).send()
  else done()
}
