import { InvalidArgument } from '@modelwire/core'
import type { FastifyReply, FastifyRequest, onSendAsyncHookHandler, preHandlerAsyncHookHandler } from 'fastify'
import { type Answered, digest, type KeyStore } from './key-store.ts'

/** The hooks of a route whose requests may have a key. */
export interface IdempotentRoute {
  /** Runs once the caller is admitted: claims the key, or gives the answer that it has. */
  readonly claim: preHandlerAsyncHookHandler
  /** Keeps the answer before it is sent. */
  readonly keep: onSendAsyncHookHandler
}

const claimed: unique symbol = Symbol('claimed key')

interface Claiming {
  [claimed]?: string
}

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

/** Who sends a key: those of others are other keys. */
function callerOf({ principal }: FastifyRequest): readonly unknown[] {
  return [principal?.userModel, principal?.userId, principal?.appId].map((part) => String(part ?? ''))
}

const fingerprintOf = ({ method, raw, body }: FastifyRequest): string => digest(method, raw.url, body)

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

/** Makes the hooks of routes that create or change: a request with `Idempotency-Key` is carried out once. */
export function idempotentRoute(store: KeyStore): IdempotentRoute {
  return {
    async claim(request: FastifyRequest & Claiming, reply) {
      const key = readKey(request.headers['idempotency-key'])
      if (key === undefined) return undefined
      const id = digest(key, ...callerOf(request))
      const kept = await store.claim(id, fingerprintOf(request))
      if (kept !== undefined) return replay(reply, kept)
      request[claimed] = id
      return undefined
    },
    async keep(request: FastifyRequest & Claiming, reply, payload) {
      const { [claimed]: id } = request
      if (id === undefined) return payload
      delete request[claimed]
      const isText = payload === undefined || payload === null || typeof payload === 'string'
      // What failed by accident, or broke off as its client left (499), may be tried again; what is no text cannot be given again.
      if (reply.statusCode >= 499 || !isText) await store.release(id)
      else await store.keep(id, { status: reply.statusCode, headers: headersOf(reply), body: payload ?? null })
      return payload
    }
  }
}
