import { Readable } from 'node:stream'
import type { OperationContext } from '@modelwire/core'
import {
  ChangeStream,
  checkGuards,
  checkStatus,
  type CompiledOperation,
  keyOfRights,
  streamRights,
  registryOf
} from '@modelwire/core/plugin'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ReadArguments } from '../input/argument-reader.ts'
import { StreamRightsChanged } from '../errors.ts'
import type { ReadQuery } from '../input/read-query.ts'
import type { RestSettings } from '../options.ts'
import { preferType } from '../output/prefer-type.ts'
import type { SendResult } from '../output/result-sender.ts'
import { OpenStream } from './open-stream.ts'
import { eventStreamFormat, lineFormat, type StreamFormat } from './stream-format.ts'

/** What streams need of the mount that they are at. */
export interface StreamMount {
  readonly readQuery: ReadQuery
  /** The facts of an error for clients. */
  readonly factsOf: (error: unknown) => object
}

/** A call that gives a stream: what sending it, and checking it again, needs. */
export interface StreamingCall {
  readonly call: CompiledOperation
  readonly read: ReadArguments
}

/** LB3: `_format=event-stream`, or an Accept header that admits events; read in LoopBack's answers, by hand. */
function wantsEvents(request: FastifyRequest, readQuery: ReadQuery): boolean {
  const { accept } = request.headers
  if (readQuery(request)['_format'] === 'event-stream' || accept === undefined || accept === '') return true
  return preferType(accept, ['text/event-stream']) !== undefined
}

const formatFor = (source: Readable, asEvents: boolean): StreamFormat =>
  asEvents ? eventStreamFormat(source instanceof ChangeStream ? source : undefined) : lineFormat()

/** The stream among the results of a method. */
function streamIn(result: unknown, name: string, isRoot: boolean): Readable {
  // `result` has the returned values by name, unless one of them is all of it.
  const value = isRoot ? result : (result as Record<string, unknown>)[name]
  if (value instanceof Readable) return value
  throw new TypeError('a method that returns a stream must return a readable stream')
}

/** Sends streams of objects, and ends them when their callers may listen no more, or the server closes. */
export class StreamServer {
  readonly #open = new Set<OpenStream>()
  readonly #mount: StreamMount
  #isChecking = false

  constructor(app: FastifyInstance, { heartbeat, recheck }: RestSettings['streams'], mount: StreamMount) {
    this.#mount = mount
    const beating = setInterval(() => this.#beat(), heartbeat * 1000).unref()
    const checking = setInterval(() => void this.#checkAll(), recheck * 1000).unref()
    app.addHook('preClose', (done) => {
      clearInterval(beating)
      clearInterval(checking)
      for (const stream of this.#open) stream.end()
      done()
    })
  }

  /** Compiles the sending of the stream that an operation gives. */
  compileSending({ call, read }: StreamingCall): SendResult {
    const { operation } = call
    const returned = operation.returns.find(({ type }) => type.kind === 'stream')
    const [name, isRoot] = [returned?.name ?? '', returned?.root === true]
    return (request, reply, context) => {
      const status = checkStatus(context.status ?? operation.status ?? 200)
      const source = streamIn(context.result, name, isRoot)
      const check = this.#recheck({ call, read }, { request, reply }, { context, source })
      const onClose = (closed: OpenStream): void => void this.#open.delete(closed)
      const { readQuery, factsOf } = this.#mount
      const format = formatFor(source, wantsEvents(request, readQuery))
      // A connection that was closed while the stream was opened does not say so again.
      if (reply.raw.destroyed) {
        source.destroy()
        return reply.hijack()
      }
      const stream = new OpenStream({ request, reply }, source, { format, check, onClose, factsOf })
      this.#open.add(stream)
      reply.hijack()
      stream.start(status)
      return reply
    }
  }

  /**
   * Makes the function that repeats all checks that allowed the call: the token, and the guards. The resulting
   * restriction must be unchanged, or the caller may see other records now.
   */
  #recheck(
    { call, read }: StreamingCall,
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    { context, source }: { readonly context: OperationContext; readonly source: Readable }
  ): () => Promise<void> {
    const { model } = call.operation
    const { callerChecks } = registryOf(model)
    const allowed = JSON.stringify([context.args, source instanceof ChangeStream && source.rightsKey])
    return async () => {
      if (context.principal !== undefined) for (const check of callerChecks) await check(context)
      context.client = context.client?.again()
      context.args = read(request, reply, context)
      await checkGuards(call, context)
      const rights = source instanceof ChangeStream && keyOfRights(await streamRights(model, context))
      if (JSON.stringify([context.args, rights]) !== allowed)
        throw new StreamRightsChanged('the access of the caller has changed')
    }
  }

  #beat(): void {
    for (const stream of this.#open) stream.beat()
  }

  async #checkAll(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    for (const stream of this.#open) await checkOne(stream)
    this.#isChecking = false
  }
}

async function checkOne(stream: OpenStream): Promise<void> {
  try {
    await stream.check()
  } catch (error) {
    stream.fail(error)
  }
}
