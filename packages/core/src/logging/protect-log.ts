import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { isPlainObject } from '../values/clone-plain.ts'
import { maskFields, maskSecrets } from './mask-secrets.ts'

type Serializer = (value: unknown) => unknown

const isSerializer = (value: unknown): value is Serializer => typeof value === 'function'

function maskRequest(written: unknown): unknown {
  const url: unknown = typeof written === 'object' && written !== null ? Reflect.get(written, 'url') : undefined
  const more = isPlainObject(written) && 'headers' in written ? { headers: maskFields(written['headers']) } : {}
  return typeof url === 'string' ? Object.assign({}, written, { url: maskSecrets(url) }, more) : written
}

/** What pino writes of an error has getters and a prototype of its own. */
const maskError = (written: unknown): unknown =>
  maskFields(typeof written === 'object' && written !== null ? { ...written } : written)

/** How what is logged under a name is masked. */
const masks: Readonly<Record<string, (written: unknown) => unknown>> = { req: maskRequest, err: maskError }

const masked: unique symbol = Symbol('masked')

/** The serializer with its masks; one that has them stays as it is. */
function withMask(name: string, serialize: unknown): Serializer | undefined {
  const hide = masks[name]
  if (hide === undefined || !isSerializer(serialize) || masked in serialize) return undefined
  return Object.assign((value: unknown) => hide(serialize(value)), { [masked]: true })
}

/** Puts masked serializers in place of those of an object. */
function maskSerializers(serializers: unknown): void {
  if (typeof serializers !== 'object' || serializers === null) return
  for (const name of Object.keys(masks)) {
    const serialize = withMask(name, Reflect.get(serializers, name))
    if (serialize !== undefined) Reflect.set(serializers, name, serialize)
  }
}

/** Masks the texts that a request's own logger receives. */
function maskTexts(log: FastifyBaseLogger): void {
  const { info } = log
  const write = (...args: readonly unknown[]): void =>
    void Reflect.apply(
      info,
      log,
      args.map((part) => (typeof part === 'string' ? maskSecrets(part) : part))
    )
  Object.assign(log, { info: write })
}

/**
 * Keeps tokens, codes and passwords out of what the server logs of requests and errors: in addresses, headers and fields. Serializers
 * that the server's logger or a route has of its own are masked, too. May be called more than once.
 */
export function protectLog(app: FastifyInstance): void {
  // Pino keeps the serializers of a logger under this symbol of the registry. Loggers of requests take them over.
  maskSerializers(Reflect.get(app.log, Symbol.for('pino.serializers')))
  app.addHook('onRoute', ({ logSerializers }) => maskSerializers(logSerializers))
  // Fastify writes the whole address into the text of an entry where there is no route.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) maskTexts(request.log)
    done()
  })
}
