import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { isPlainObject, setOwn } from './clone-plain.ts'

/** Words of the parameters and fields whose values no log may hold, however they are put together: `access_token`, `accessToken`. */
const secretWords = [
  'access token',
  'refresh token',
  'id token',
  'id token hint',
  'auth token',
  'token',
  'client secret',
  'client assertion',
  'assertion',
  'secret',
  'password',
  'old password',
  'new password',
  'verification token',
  'code verifier',
  'device code',
  'user code',
  'transaction id',
  'api key',
  'private key',
  'credentials'
]

const joined = '(?:[-_]|%5F)?'
const anyOf = (names: readonly string[]): string => `(?:${names.map((name) => name.replaceAll(' ', joined)).join('|')})`

/** Pattern of the names of secrets. */
export const secretNames = anyOf(secretWords)

/** The names of secret parameters of a URL: there, `code` is one, unlike an error's. */
export const secretParameters = anyOf([...secretWords, 'code'])

const bare = (name: string): string => name.replaceAll(/[-_ ]/g, '').toLowerCase()

const headers = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-access-token',
  'x-api-key',
  'x-auth-token'
]
const secretFields: ReadonlySet<string> = new Set([...secretWords, ...headers].map(bare))

/** Whether the value of a field or header must never be logged. */
export const isSecretField = (name: string): boolean => secretFields.has(bare(name))

/** The replacement for a secret. */
export const mask = '…'

/** As `name=`, or within a condition: `filter[where][name]=`. */
const parameter = `(?:[?&;]${secretParameters}|(?:[[.]|%5B)${secretNames}(?:[\\].]|%5D)[^=&#\\s]{0,100}?)`

/** An encoded `&` is a part of the value. */
const secrets = new RegExp(`(${parameter}(?:=|%3D))[^&#\\s]*`, 'gi')

/** In an address that is a parameter itself: an `&` ends the value that is encoded as often as the sign before the name. */
const innerSecrets = new RegExp(
  `(%((?:25)*)(?:3F|26|3B)${secretParameters}(?:=|%(?:25)*3D))(?:(?!%(?:\\2)?26)[^&#\\s])*`,
  'gi'
)

/** As a name in JSON. What is not a string is left out to the end of its parameter. Two colons are a cast of SQL. */
const namedInJson = new RegExp(
  `((?:"|%22)${secretNames}(?:"|%22)(?:\\s|%20|\\+)*(?::|%3A)(?!:))(?:\\s*"(?:[^"\\\\]|\\\\.)*"?|[^&#\\s]*)`,
  'gi'
)

/** Levels below which nothing is logged: a program can write no more of them without running out of its stack. */
const deepest = 200

/** Stands for an object that lies in itself, as pino writes it. */
const circular = '[Circular]'

type Masked = Map<object, unknown>

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

const isMasked: unique symbol = Symbol('masked')

/** The serializer with its masks; one that has them stays as it is. */
function withMask(name: string, serialize: unknown): Serializer | undefined {
  const hide = masks[name]
  if (hide === undefined || !isSerializer(serialize) || isMasked in serialize) return undefined
  return Object.assign((value: unknown) => hide(serialize(value)), { [isMasked]: true })
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
 * Keeps tokens, codes and passwords out of the server's logs of requests and errors: in URLs, headers and fields. Custom
 * serializers of the server's logger or of a route are masked, too. May be called more than once.
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

/** Masks secrets in a URL, or in a text with URLs or JSON. */
export function maskSecrets(text: string): string {
  // Most texts hold no address, and are not searched for names.
  const hasEscapes = text.includes('%')
  const masked = hasEscapes || text.includes('=') ? text.replaceAll(secrets, `$1${mask}`) : text
  const outer = hasEscapes ? masked.replaceAll(innerSecrets, `$1${mask}`) : masked
  return hasEscapes || text.includes('"') ? outer.replaceAll(namedInJson, `$1${mask}`) : outer
}

/**
 * Masks secrets in the fields and strings of data to be logged, at any depth. The input is not changed: a part without
 * secrets is the same object.
 */
export function maskFields(value: unknown): unknown {
  return maskValue(value, new Map(), 0)
}

function maskValue(value: unknown, maskedOf: Masked, depth: number): unknown {
  if (typeof value === 'string') return maskSecrets(value)
  if (!Array.isArray(value) && !isPlainObject(value)) return value
  if (depth >= deepest) return mask
  // Each object is looked at once, however often it is there.
  const found = maskedOf.get(value)
  if (found !== undefined) return found
  maskedOf.set(value, circular)
  const masked = Array.isArray(value) ? maskList(value, maskedOf, depth + 1) : maskObject(value, maskedOf, depth + 1)
  maskedOf.set(value, masked)
  return masked
}

function maskList(list: readonly unknown[], maskedOf: Masked, depth: number): readonly unknown[] {
  const masked = list.map((item) => maskValue(item, maskedOf, depth))
  return masked.some((item, index) => !Object.is(item, list[index])) ? masked : list
}

function maskObject(value: Readonly<Record<string, unknown>>, maskedOf: Masked, depth: number): object {
  let copy: Record<string, unknown> | undefined
  for (const [name, field] of Object.entries(value)) {
    const isSecret = isSecretField(name) && field !== undefined && field !== null
    const masked = isSecret ? mask : maskValue(field, maskedOf, depth)
    if (!Object.is(masked, field)) setOwn((copy ??= { ...value }), name, masked)
  }
  return copy ?? value
}
