import type { FastifyRequest, preHandlerHookHandler } from 'fastify'

const asksAdmission: unique symbol = Symbol('asks admission')

type Asking = FastifyRequest & { [asksAdmission]?: true }

/** Makes a request end as soon as its caller is admitted: nothing is executed. */
export function askAdmission(request: Asking): void {
  request[asksAdmission] = true
}

/** The hook after the guards that ends requests which only ask for admission: 204. */
export const endAfterAdmission: preHandlerHookHandler = (request: Asking, reply, done) => {
  if (request[asksAdmission] === true) void reply.code(204).send()
  else done()
}
