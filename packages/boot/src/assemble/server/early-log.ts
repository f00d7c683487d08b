import type { FastifyBaseLogger, FastifyServerOptions } from 'fastify'
import { pino, type DestinationStream, type LoggerOptions } from 'pino'
import { maskedLogger } from './masked-logger.ts'

/** The log of an application that has no server yet: from the first line on, it writes like the server's will. */
export function earlyLog(logger: FastifyServerOptions['logger']): FastifyBaseLogger {
  let made: FastifyBaseLogger | undefined
  const log = (): FastifyBaseLogger => (made ??= makeLog(logger))
  // Every member is that of the log, which is made with the first of them.
  return new Proxy({} as FastifyBaseLogger, {
    get: (_target, name) => {
      const member: unknown = Reflect.get(log(), name)
      return typeof member === 'function' ? (member.bind(log()) as unknown) : member
    }
  })
}

function makeLog(logger: FastifyServerOptions['logger']): FastifyBaseLogger {
  if (logger === undefined || logger === false) return pino({ enabled: false })
  const masked = maskedLogger(logger)
  const { stream, ...options } = (masked === true ? {} : masked) as LoggerOptions & { stream?: DestinationStream } // as Fastify takes it
  return stream === undefined ? pino(options) : pino(options, stream)
}
