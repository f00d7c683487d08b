import { InvalidArgument, Model } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/connector'
import { isReading, type Operation, typeOf } from '@modelwire/core/plugin'
import { type AnswerHook, answerHook, type Awaitable, fillDefaults, toCallbackHook } from '@modelwire/server'
import type { FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import { countedCaller, type CountKept, countKeptIn, partsOfCaller } from './caller-limits.ts'
import { IdempotencyAnswerNotKept, TooManyIdempotencyKeys } from '../../errors.ts'
import { type Answered, digest, type KeyStore, openKeyStore } from './key-store.ts'
import { throwIfRefused } from '../../input/body-parsers.ts'
import { IdempotencyOptionsSchema } from '../../options.ts'
import { isJsonType } from '../../output/write-any-json.ts'
import type { Layer, Mounting } from '../layer.ts'
import { describeShown, maskShown, type Shown } from './shown-records.ts'

/** The hooks of a route whose requests may have a key. */
export interface IdempotentHooks {
  /** Runs once the caller is admitted: claims the key, or sends its stored response. */
  readonly claim: preHandlerAsyncHookHandler
  /** Stores the response before it is sent. */
  readonly keep: AnswerHook
}

/** Special options for the requests of a route. */
export interface IdempotentRoute {
  /** Whether a request accepts a key: one that changes nothing needs none. All do when absent. */
  readonly takesKey?: (request: FastifyRequest) => boolean
  /** How the body of a stored response is masked, if it is not the response of one operation. */
  readonly remask?: Remask
}

/**
 * Returns the part of a stored response's body that the caller may see now.
 * @param shown what `describe` returned for it; undefined if it was not called
 */
export type Remask = (
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  body: string,
  shown: unknown
) => Promise<string>

/** Makes the hooks of a route. */
export type MakeIdempotent = (route?: IdempotentRoute) => IdempotentHooks

/** The dependencies for storing keys. */
interface KeyParts {
  readonly store: KeyStore
  readonly count: CountKept
  /** Maximum bytes of a stored response. */
  readonly bytes: number
}

const claimed: unique symbol = Symbol('claimed key')

interface Claim {
  readonly id: string
  readonly caller: string
  isSecret: boolean
  /** Describes what the response shows, if it is not the response of one operation. */
  describe?: () => Promise<unknown>
}

type Claiming = FastifyRequest & { [claimed]?: Claim }

/** @throws {InvalidArgument} it is empty, too long, or has odd signs */
function readKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = String(header).replace(/^"(.*)"$/, '$1')
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new InvalidArgument('Idempotency-Key must be 1 to 255 visible ASCII characters')
  return key
}

/** With the key, which is stored nowhere: a digest of the body alone would let passwords in it be guessed. */
const fingerprintOf = ({ method, raw, body }: FastifyRequest, key: string): string => digest(key, method, raw.url, body)

/** Headers that an answer has again when it is repeated: what they say is part of the body, or true of it. */
const keptHeaders = ['content-type', 'x-content-type-options', 'etag', 'link', 'location', 'preference-applied']

function headersOf(reply: FastifyReply): Record<string, string> {
  const present = keptHeaders.map((name) => [name, reply.getHeader(name)] as const)
  return Object.fromEntries(
    present.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)])
  )
}

const replay = (reply: FastifyReply, { status, headers, body }: Answered): FastifyReply =>
  reply
    .code(status ?? 200)
    .headers(headers ?? {})
    .header('idempotency-replayed', 'true')
    .send(body ?? undefined)

/** It held a secret, was too long, or nobody knows what its caller may see of it. */
function notKept(status: Answered['status']): IdempotencyAnswerNotKept {
  const message =
    'the request with this Idempotency-Key was executed, but its response was not kept: read what it changed'
  return new IdempotencyAnswerNotKept(message, { details: { status } })
}

const maskOne: Remask = ({ request: { operationContext, body } }, text, shown) =>
  operationContext === null
    ? Promise.resolve(text)
    : maskShown(operationContext, { text, body }, shown as NonNullable<Shown>) // as `describeShown` told it

/**
 * What the caller may see now of an answer that is kept.
 * @throws {IdempotencyAnswerNotKept} it was not kept, or without what it shows
 */
async function remasked(
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  kept: Answered,
  remask: Remask
): Promise<Answered> {
  const { status, withheld, body, shown } = kept
  if (withheld === true) throw notKept(status)
  if (typeof body !== 'string' || body === '' || (status ?? 200) >= 400) return kept
  if (typeof shown !== 'string') throw notKept(status)
  const masked = await remask(exchange, body, JSON.parse(shown))
  if (masked === body) return kept
  const { etag: _etag, ...headers } = kept.headers ?? {}
  return { ...kept, headers, body: masked }
}

/** True where a client may have to repeat a request without knowing what the first one did. What only reads is read again. */
export const takesIdempotencyKey = ({
  verb,
  operation
}: {
  readonly verb: string
  readonly operation: Operation
}): boolean => ['POST', 'PATCH'].includes(verb.toUpperCase()) && !isReading(operation.effect)

/** Excludes the response to a request from storage, since it contains a secret. */
export function noteSecret(request: Claiming): void {
  const { [claimed]: claim } = request
  if (claim !== undefined) claim.isSecret = true
}

/** Sets the function that describes what the response to a request shows, if its key is new. */
export function noteShown({ [claimed]: claim }: Claiming, describe: () => Promise<unknown>): void {
  if (claim !== undefined) claim.describe = describe
}

const holdsSecrets = (model: ModelType | undefined): boolean => model?.definition.holdsSecrets === true

const isSecretRecord = (value: unknown): boolean => value instanceof Model && holdsSecrets(typeOf(value))

/** True where an answer holds a secret, by what its operation declares, the models that it is about, or the records that it shows. */
function answersSecret({ returnsSecret, model, effect }: Operation, result: unknown): boolean {
  if (returnsSecret !== undefined) return returnsSecret
  const { relation, via } = effect
  if ([model, relation?.to, via?.to].some(holdsSecrets)) return true
  const shown: readonly unknown[] = typeof result === 'object' && result !== null ? Object.values(result) : []
  return [result, ...shown].some(isSecretRecord)
}

/** True if the response to a request of an operation contains a secret. */
export function holdsSecret({ routeOptions, operationContext }: FastifyRequest): boolean {
  const { operation } = routeOptions.config
  return operation !== undefined && answersSecret(operation, operationContext?.result)
}

const isText = (payload: unknown): payload is string | null | undefined =>
  payload === undefined || payload === null || typeof payload === 'string'

/** What an answer shows, as JSON; undefined where that cannot be told. */
async function shownBy(reply: FastifyReply, payload: string, describe: Claim['describe']): Promise<string | undefined> {
  const isReadable = payload === '' || isJsonType(reply.getHeader('content-type'))
  const describeOne = () => describeShown(reply.request.operationContext, isReadable ? payload : undefined)
  return JSON.stringify(await (describe ?? describeOne)())
}

async function keepAnswer(
  { store, count, bytes: most }: KeyParts,
  { id, caller, isSecret, describe }: Claim,
  reply: FastifyReply,
  payload: unknown
): Promise<void> {
  const { statusCode: status, request } = reply
  // What failed by accident, or broke off as its client left (499), may be tried again.
  if (status >= 499) return store.release(id)
  const withheld = { status, withheld: true }
  const isSuccess = status < 400
  if (!isText(payload) || (isSuccess && (isSecret || holdsSecret(request)))) return store.keep(id, withheld)
  const headers = headersOf(reply)
  const length = Buffer.byteLength(JSON.stringify(headers)) + Buffer.byteLength(payload ?? '')
  if (length > most) return store.keep(id, withheld)
  const shown = isSuccess ? await shownBy(reply, payload ?? '', describe) : undefined
  if (isSuccess && shown === undefined) return store.keep(id, withheld)
  const bytes = length + Buffer.byteLength(shown ?? '')
  const { isWithin } = await count(caller, { keys: 0, bytes })
  return store.keep(id, isWithin ? { status, headers, body: payload ?? null, shown: shown ?? null } : withheld)
}

/** Makes the hooks of routes that create or change: a request with `Idempotency-Key` is carried out once. */
function idempotentRoutes(parts: KeyParts): MakeIdempotent {
  const { store, count } = parts
  const begin = async (request: Claiming, reply: FastifyReply, id: string): Promise<void> => {
    const caller = countedCaller(request)
    const { isWithin, left } = await count(caller, { keys: 1, bytes: 0 })
    if (!isWithin) {
      await store.release(id)
      void reply.header('retry-after', Math.ceil(left / 1000))
      throw new TooManyIdempotencyKeys(
        'this caller has sent too many keys: try again later, or send no Idempotency-Key'
      )
    }
    request[claimed] = { id, caller, isSecret: false }
  }
  return ({ takesKey = () => true, remask = maskOne } = {}) => ({
    async claim(request, reply) {
      const key = readKey(request.headers['idempotency-key'])
      if (key === undefined || !takesKey(request)) return undefined
      const id = digest(key, ...partsOfCaller(request))
      const kept = await store.claim(id, fingerprintOf(request, key))
      if (kept === undefined) return begin(request, reply, id)
      return replay(reply, await remasked({ request, reply }, kept, remask))
    },
    keep: answerHook('answer of an idempotency key', (request: Claiming, reply, payload): Awaitable<void> => {
      const { [claimed]: claim } = request
      delete request[claimed]
      return claim === undefined ? undefined : keepAnswer(parts, claim, reply, payload)
    })
  })
}

const made = new WeakMap<Mounting, MakeIdempotent>()

/** Makes the hooks of requests with keys at one API; undefined if its options do not support them. */
export function idempotentOf(mounting: Mounting): MakeIdempotent | undefined {
  const { registry, settings } = mounting
  const { idempotency: option } = settings
  const known = made.get(mounting)
  if (known !== undefined || option === false) return known
  const { bytes, ...limits } = fillDefaults(IdempotencyOptionsSchema, option === true ? {} : option)
  const make = idempotentRoutes({
    store: openKeyStore(registry, limits),
    count: countKeptIn(registry.shared, limits),
    bytes
  })
  made.set(mounting, make)
  return make
}

/** POST and PATCH with an `Idempotency-Key`: executed once, however often they are sent. */
export const idempotency: Layer = {
  headers: { request: ['idempotency-key'], response: ['idempotency-replayed'] },
  mount: (mounting) => {
    const make = idempotentOf(mounting)
    if (make === undefined) return undefined
    return {
      claim: () => ({
        hooks: (route) => {
          if (!takesIdempotencyKey(route)) return {}
          const { claim, keep } = make()
          // A refused request takes no key.
          return { preHandler: [toCallbackHook(throwIfRefused), claim], onSend: keep }
        }
      }),
      document: () => ({ idempotencyKeys: true })
    }
  }
}
