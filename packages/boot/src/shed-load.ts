import { fillDefaults, InvalidOption } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance } from 'fastify'
import { ServerOverloaded } from './errors.ts'

const bytes = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, default: 0, unit: 'bytes', description }))

/** When requests are refused because there are too many: `loadShedding` of `createServer`, and of `config.json`. */
export const LoadSheddingOptionsSchema = Type.Object(
  {
    eventLoopDelay: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 1000,
        unit: 'ms',
        description:
          'milliseconds that the event loop is late on average, in a second, above which requests are refused; 0 never'
      })
    ),
    heapUsed: bytes('bytes of heap in use above which requests are refused; 0 never'),
    rss: bytes('bytes of memory of the process above which requests are refused; 0 never'),
    retryAfter: Type.Optional(
      Type.Integer({ minimum: 1, default: 10, unit: 's', description: 'seconds that `Retry-After` of the 503 tells' })
    )
  },
  {
    additionalProperties: false,
    description:
      'Requests are refused only where the object is given; `{}` has these defaults. Also `loadShedding` in `config.json`; an option of `createServer` goes before it.'
  }
)

/** When requests are refused because there are too many. */
export type LoadSheddingOptions = Static<typeof LoadSheddingOptionsSchema>

/**
 * Lets a server that does not keep up refuse requests at once instead of answering all of them late: 503 with `Retry-After`.
 * @throws {InvalidOption} an option has the wrong type
 */
export async function shedLoad(server: FastifyInstance, options: LoadSheddingOptions): Promise<void> {
  const problem = Value.Errors(LoadSheddingOptionsSchema, options).First()
  if (problem !== undefined)
    throw new InvalidOption(problem.message.toLowerCase(), { key: `loadShedding${problem.path.replaceAll('/', '.')}` })
  const limits = fillDefaults(LoadSheddingOptionsSchema, options)
  const { default: underPressure } = await import('@fastify/under-pressure')
  await server.register(underPressure, {
    maxEventLoopDelay: limits.eventLoopDelay,
    maxHeapUsedBytes: limits.heapUsed,
    maxRssBytes: limits.rss,
    retryAfter: limits.retryAfter,
    customError: ServerOverloaded
  })
}
