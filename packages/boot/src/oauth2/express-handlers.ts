import { ExpressNotSupported } from '@modelwire/loopback-express'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EndpointFunctions } from '@modelwire/oauth2'

/** A handler as Express calls it. */
export type ExpressHandler = (request: object, response: unknown, next: (error?: unknown) => void) => void

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Remembers the request of Fastify for each request of Express. */
export function rememberExchanges(server: FastifyInstance): WeakMap<object, Exchange> {
  const exchanges = new WeakMap<object, Exchange>()
  server.addHook('onRequest', (request, reply, done) => {
    exchanges.set(request.raw, { request, reply })
    done()
  })
  return exchanges
}

/** The request as a route would see it: its body is what a parser of Express left. */
function withBody(request: FastifyRequest, raw: object): FastifyRequest {
  const body: unknown = Reflect.get(raw, 'body')
  return Object.create(request, { body: { value: body } }) as FastifyRequest // but for its body it is the same
}

/** An endpoint as a handler that scripts can mount. */
export function endpointHandler(
  exchanges: () => WeakMap<object, Exchange> | undefined,
  server: FastifyInstance,
  name: keyof EndpointFunctions
): ExpressHandler {
  return (raw, _response, next) => {
    const exchange = exchanges()?.get(raw)
    const endpoint = server.oauth2.endpoints?.[name]
    if (exchange === undefined || endpoint === undefined) {
      next(new ExpressNotSupported(`there is no ${name} endpoint: authorizationServer is false`))
      return
    }
    void answer(async () => endpoint(withBody(exchange.request, raw), exchange.reply), next)
  }
}

async function answer(run: () => Promise<unknown>, next: (error?: unknown) => void): Promise<void> {
  try {
    await run()
  } catch (error) {
    next(error)
  }
}
