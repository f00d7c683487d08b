import { Readable } from 'node:stream'
import type { ModelRegistry, OperationContext } from '@modelwire/core'
import {
  ChangeStream,
  callSteps,
  keyOfRights,
  streamRights,
  registryOf,
  type CompiledOperation
} from '@modelwire/core/plugin'
import { checkStatus, comparableJson } from '@modelwire/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServerStreamsFull, StreamRightsChanged, TooManyStreams } from '../../errors.ts'
import type { ReadArguments } from '../../input/read-arguments.ts'
import type { ReadQuery } from '../../input/read-query.ts'
import type { RestSettings } from '../../options.ts'
import { preferType } from '../../output/prefer-type.ts'
import type { SendResult } from '../../output/send-result.ts'
import { countedCaller } from '../idempotency/caller-limits.ts'
import type { Layer, Mounting } from '../layer.ts'
import { OpenStream } from './open-stream.ts'
import { eventStreamFormat, lineFormat, type StreamFormat } from './stream-format.ts'

/** Releases the slot of a stream. */
type ReleaseStream = () => void

/** Takes a slot for the sender of a request. */
type TakeStream = (request: FastifyRequest) => ReleaseStream

/** The open streams of an application, across all mounts. */
interface OpenCounts {
  readonly byCaller: Map<string, number>
  all: number
}

const countsOf = new WeakMap<ModelRegistry, OpenCounts>()

/** A call that returns a stream: what is needed to send it, and to check it again. */
interface StreamingCall {
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
class StreamServer {
  readonly #open = new Set<OpenStream>()
  readonly #mounting: Mounting
  readonly #take: TakeStream
  #isChecking = false

  constructor(mounting: Mounting) {
    const { heartbeat, recheck } = mounting.settings.streams
    this.#mounting = mounting
    this.#take = limitStreams(mounting.registry, mounting.settings.streams)
    const timers: NodeJS.Timeout[] = []
    mounting.scope.addHook('onReady', (done) => {
      timers.push(setInterval(() => this.#beat(), heartbeat * 1000).unref())
      timers.push(setInterval(() => void this.#checkAll(), recheck * 1000).unref())
      done()
    })
    mounting.scope.addHook('preClose', (done) => {
      for (const timer of timers) clearInterval(timer)
      for (const stream of this.#open) stream.end()
      done()
    })
  }

  /** Compiles the sending of the stream that an operation gives. */
  compileSending({ call, read }: StreamingCall): SendResult {
    const { operation } = call
    const returned = operation.returns.find(({ type }) => type.kind === 'stream')
    const [name, isRoot] = [returned?.name ?? '', returned?.root === true]
    return async (request, reply, context) => {
      const status = checkStatus(context.status ?? operation.status ?? 200)
      const source = streamIn(context.result, name, isRoot)
      const check = this.#recheck({ call, read }, { request, reply }, { context, source })
      const { readQuery, errors } = this.#mounting
      const format = formatFor(source, wantsEvents(request, readQuery))
      // A connection that was closed while the stream was opened does not say so again.
      if (reply.raw.destroyed) {
        source.destroy()
        reply.hijack()
        return
      }
      const release = this.#takeFor(request, source)
      const onClose = (closed: OpenStream): void => {
        this.#open.delete(closed)
        release()
      }
      const stream = new OpenStream({ request, reply }, source, { format, check, onClose, factsOf: errors.factsOf })
      this.#open.add(stream)
      reply.hijack()
      stream.start(status)
    }
  }

  /** @throws {TooManyStreams} and {ServerStreamsFull}: the source is closed then */
  #takeFor(request: FastifyRequest, source: Readable): ReleaseStream {
    try {
      return this.#take(request)
    } catch (error) {
      source.destroy()
      throw error
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
    const { callerChecks } = registryOf(call.operation.model)
    // What code opened shows what the code chose.
    const changes = source instanceof ChangeStream && source.rightsKey !== undefined ? source : undefined
    const allowed = comparableJson([context.args, changes?.rightsKey])
    return async () => {
      if (context.principal !== undefined) for (const check of callerChecks) await check(context)
      context.client = context.client?.again()
      context.args = read(request, reply, context)
      await callSteps.checkGuards(call, context)
      const rights = changes && (await streamRights(changes.feed.model, context))
      if (comparableJson([context.args, rights && keyOfRights(rights)]) !== allowed)
        throw new StreamRightsChanged('the rights of the caller have changed')
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

/**
 * Makes the function that counts the open streams of an application in this process. It throws {@link TooManyStreams} where the caller
 * has as many as one may have, and {@link ServerStreamsFull} where all callers together have.
 */
function limitStreams(
  registry: ModelRegistry,
  { perCaller, perProcess, heartbeat }: RestSettings['streams']
): TakeStream {
  const open = countsOf.get(registry) ?? { byCaller: new Map<string, number>(), all: 0 }
  countsOf.set(registry, open)
  // Most clients that are gone are noticed when they are written to.
  const wait = Math.ceil(heartbeat)
  return (request) => {
    const caller = countedCaller(request)
    const own = open.byCaller.get(caller) ?? 0
    if (own >= perCaller) throw new TooManyStreams(`this caller has ${own} streams open: close one first`, wait)
    if (open.all >= perProcess)
      throw new ServerStreamsFull(`the server has ${open.all} streams open: try again later`, wait)
    open.byCaller.set(caller, own + 1)
    open.all += 1
    return () => {
      open.all -= 1
      const left = (open.byCaller.get(caller) ?? 1) - 1
      if (left === 0) open.byCaller.delete(caller)
      else open.byCaller.set(caller, left)
    }
  }
}

/** Streams of objects, such as the changes of a model. */
export const streams: Layer = {
  mount: (mounting) => {
    const server = new StreamServer(mounting)
    return {
      claim: (call) =>
        call.operation.returns.some(({ type }) => type.kind === 'stream')
          ? { send: (read) => server.compileSending({ call, read }) }
          : undefined
    }
  }
}
