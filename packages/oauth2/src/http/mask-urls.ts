import type { FastifyInstance } from 'fastify'

/** Parameters whose values no log may hold. */
const names =
  '(?:access_token|refresh_token|token|code|client_secret|client_assertion|assertion|password|code_verifier|device_code|user_code|id_token_hint|transactionId|transaction_id)'

/** An encoded `&` is a part of the value. */
const secrets = new RegExp(`([?&;]${names}(?:=|%3D))[^&#\\s]*`, 'gi')

/** In an address that is a parameter itself: an `&` ends the value that is encoded as often as the sign before the name. */
const innerSecrets = new RegExp(`(%((?:25)*)(?:3F|26|3B)${names}(?:=|%(?:25)*3D))(?:(?!%(?:\\2)?26)[^&#\\s])*`, 'gi')

/** An address without the secrets in its query. */
export function maskUrl(url: string): string {
  return url.replaceAll(secrets, '$1…').replaceAll(innerSecrets, '$1…')
}

type Serializer = (request: unknown) => unknown

const isSerializer = (value: unknown): value is Serializer => typeof value === 'function'

/** How the server's logger writes requests; pino keeps it under a symbol of the registry. */
function ownSerializer(log: object): Serializer | undefined {
  const all: unknown = Reflect.get(log, Symbol.for('pino.serializers'))
  const own: unknown = typeof all === 'object' && all !== null ? Reflect.get(all, 'req') : undefined
  return isSerializer(own) ? own : undefined
}

function masked(serialize: Serializer): Serializer {
  return (request) => {
    const written = serialize(request)
    const url: unknown = typeof written === 'object' && written !== null ? Reflect.get(written, 'url') : undefined
    return typeof url === 'string' ? Object.assign({}, written, { url: maskUrl(url) }) : written
  }
}

/** Keeps tokens and codes in addresses out of the log, for all routes that are added from now on. */
export function maskUrls(app: FastifyInstance): void {
  const usual = ownSerializer(app.log)
  app.addHook('onRoute', (route) => {
    const given: unknown = Reflect.get(route.logSerializers ?? {}, 'req')
    const serialize = isSerializer(given) ? given : usual
    if (serialize === undefined) return
    const serializers = { ...route.logSerializers, req: masked(serialize) }
    Object.assign(route, { logSerializers: serializers })
  })
}
