import { isPlainObject, maskFields, maskSecrets } from '@modelwire/server'
import type { FastifyServerOptions } from 'fastify'
import { type LoggerOptions, type SerializedError, stdSerializers } from 'pino'

/** Scripts call back texts and other values as errors: pino gives back what is none. */
function maskedError(error: Error): SerializedError {
  const written = stdSerializers.err(error)
  const masked = maskFields(Object.is(written, error) ? written : { ...written })
  return Object.is(written, error) ? (masked as SerializedError) : Object.assign(written, masked) // it is written as it is
}

type Formatters = Exclude<LoggerOptions['formatters'], undefined>

type LoggerOption = FastifyServerOptions['logger']

/** Paths with wildcards would cost ten times as much for each entry as a walk through the little that it mostly holds. */
function maskedFormatters(own: Formatters = {}): Formatters {
  const write = own.log ?? ((entry) => entry)
  // An entry is an object, and stays one.
  return { ...own, log: (entry) => maskFields(write(entry)) as typeof entry }
}

/** What an entry is made of. An error that is logged without a text lends it its message. */
function withText(args: readonly unknown[]): readonly unknown[] {
  const [first] = args
  const error: unknown = isPlainObject(first) ? first['err'] : first
  return args.length === 1 && error instanceof Error ? [first, error.message] : args
}

/**
 * Logger options that mask secrets: fields with passwords and tokens, and URLs in strings. The application's own logger
 * options are kept.
 */
export function maskedLogger(logger: LoggerOption): LoggerOption {
  if (logger === undefined || logger === false) return logger
  const options = logger === true ? {} : logger
  const { formatters, serializers = {}, hooks = {} } = options
  return {
    ...options,
    formatters: maskedFormatters(formatters),
    serializers: { err: maskedError, ...serializers },
    hooks: {
      logMethod(args, method) {
        const texts: readonly unknown[] = withText(args).map((part) =>
          typeof part === 'string' ? maskSecrets(part) : part
        )
        method.apply(this, texts as typeof args) // texts stay texts
      },
      ...hooks
    }
  }
}
