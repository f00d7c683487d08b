import { InvalidArgument } from '@modelwire/core'
import { type AnswerHook, answerHook, answersSecret, type Awaitable } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import { countedCaller, type CountKept, partsOfCaller } from './caller-limits.ts'
import { IdempotencyAnswerNotKept, TooManyIdempotencyKeys } from './errors.ts'
import { type Answered, digest, type KeyStore } from './key-store.ts'

/** The hooks of a route whose requests may have a key. */
export interface IdempotentHooks {
  /** Runs once the caller is admitted: claims the key, or gives the answer that it has. */
  readonly claim: preHandlerAsyncHookHandler
  /** Keeps the answer before it is sent. */
  readonly keep: AnswerHook
}

/** What is special about the requests of a route. */
export interface IdempotentRoute {
  /** Whether a request takes a key: one that changes nothing needs none. All take one when absent. */
  readonly takesKey?: (request: FastifyRequest) => boolean
  /** What the caller may see of an answer that is given again; all of it when absent. */
  readonly readmit?: (request: FastifyRequest, reply: FastifyReply, kept: Answered) => Promise<Answered>
}

/** Makes the hooks of a route. */
export type MakeIdempotent = (route?: IdempotentRoute) => IdempotentHooks

/** What keys are kept with. */
export interface KeyParts {
  readonly store: KeyStore
  readonly count: CountKept
  /** Bytes of an answer that is kept. */
  readonly bytes: number
}

const claimed: unique symbol = Symbol('claimed key')

interface Claim {
  readonly id: string
  readonly caller: string
  isSecret: boolean
}

type Claiming = FastifyRequest & { [claimed]?: Claim }

/** The headers of an answer that are a part of it, as those of a server's state are not. */
const keptHeaders = ['content-type', 'x-content-type-options', 'etag', 'link', 'location', 'preference-applied']

/** @throws {InvalidArgument} it is empty, too long, or has odd signs */
function readKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = String(header).replace(/^"(.*)"$/, '$1')
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new InvalidArgument('Idempotency-Key must be one to 255 visible signs of ASCII')
  return key
}

/** With the key, which is stored nowhere: a digest of the body alone would let passwords in it be guessed. */
const fingerprintOf = ({ method, raw, body }: FastifyRequest, key: string): string => digest(key, method, raw.url, body)

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

/** @throws {IdempotencyAnswerNotKept} it held a secret, or was too long */
function refuseWithheld({ status, withheld }: Answered): void {
  if (withheld !== true) return
  const message = 'the request with this Idempotency-Key was carried out, and its answer not kept: read what it changed'
  throw new IdempotencyAnswerNotKept(message, { details: { status } })
}

/** Has the answer to a request not be kept: it holds a secret. */
export function noteSecret(request: Claiming): void {
  const { [claimed]: claim } = request
  if (claim !== undefined) claim.isSecret = true
}

/** True where the answer to a request of an operation holds a secret. */
export function holdsSecret({ routeOptions, operationContext }: FastifyRequest): boolean {
  const { operation } = routeOptions.config
  return operation !== undefined && answersSecret(operation, operationContext?.result)
}

const isText = (payload: unknown): payload is string | null | undefined =>
  payload === undefined || payload === null || typeof payload === 'string'

async function keepAnswer(
  { store, count, bytes: most }: KeyParts,
  { id, caller, isSecret }: Claim,
  reply: FastifyReply,
  payload: unknown
): Promise<void> {
  const { statusCode: status, request } = reply
  // What failed by accident, or broke off as its client left (499), may be tried again.
  if (status >= 499) return store.release(id)
  const withheld = { status, withheld: true }
  const isSuccess = status < 400
  if (!isText(payload) || (isSuccess && (isSecret || holdsSecret(request)))) return store.keep(id, withheld)
  const answer = { status, headers: headersOf(reply), body: payload ?? null }
  const bytes = Buffer.byteLength(JSON.stringify(answer.headers)) + Buffer.byteLength(payload ?? '')
  const isKept = bytes <= most && (await count(caller, { keys: 0, bytes })).isWithin
  return store.keep(id, isKept ? answer : withheld)
}

/** Makes the hooks of routes that create or change: a request with `Idempotency-Key` is carried out once. */
export function idempotentRoutes(parts: KeyParts): MakeIdempotent {
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
  return ({ takesKey = () => true, readmit } = {}) => ({
    async claim(request, reply) {
      const key = readKey(request.headers['idempotency-key'])
      if (key === undefined || !takesKey(request)) return undefined
      const id = digest(key, ...partsOfCaller(request))
      const kept = await store.claim(id, fingerprintOf(request, key))
      if (kept === undefined) return begin(request, reply, id)
      refuseWithheld(kept)
      return replay(reply, readmit === undefined ? kept : await readmit(request, reply, kept))
    },
    keep: answerHook('answer of an idempotency key', (request: Claiming, reply, payload): Awaitable<void> => {
      const { [claimed]: claim } = request
      delete request[claimed]
      return claim === undefined ? undefined : keepAnswer(parts, claim, reply, payload)
    })
  })
}
