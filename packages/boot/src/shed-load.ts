import { fillDefaults, InvalidOption, problemOf } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { ServerOverloaded } from './errors.ts'

const bytes = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, default: 0, unit: 'bytes', description }))

/** Limits above which requests are refused: `loadShedding` of `createServer`, and of `config.json`. */
export const LoadSheddingOptionsSchema = Type.Object(
  {
    eventLoopDelay: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 1000,
        unit: 'ms',
        description:
          'average event loop delay in milliseconds, measured over a second, above which requests are refused; 0: no limit'
      })
    ),
    heapUsed: bytes('heap usage in bytes above which requests are refused; 0: no limit'),
    rss: bytes('process memory (RSS) in bytes above which requests are refused; 0: no limit'),
    retryAfter: Type.Optional(
      Type.Integer({ minimum: 1, default: 10, unit: 's', description: 'seconds sent in the `Retry-After` of the 503' })
    )
  },
  {
    additionalProperties: false,
    description:
      'Requests are only refused if this object is set; `{}` uses these defaults. Also `loadShedding` in `config.json`; an option of `createServer` takes precedence over it.'
  }
)

/** Limits above which requests are refused. */
export type LoadSheddingOptions = Static<typeof LoadSheddingOptionsSchema>

/**
 * Lets an overloaded server refuse requests immediately, instead of answering all of them late: 503 with `Retry-After`.
 * @throws {InvalidOption} an option has the wrong type
 */
export async function shedLoad(server: FastifyInstance, options: LoadSheddingOptions): Promise<void> {
  const problem = problemOf(LoadSheddingOptionsSchema, options)
  if (problem !== undefined) throw new InvalidOption(problem.expected, { key: `loadShedding.${problem.key}` })
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
