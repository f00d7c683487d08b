import {
  isBelow,
  toCallbackHook,
  hasDotSegment,
  requestPath,
  writePath,
  isPlainObject,
  replaceQuery
} from '@modelwire/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { ErrorHandler, ExpressModule, ExpressRouter, Handler, Next } from './express-module.ts'
import { type ExpressStack, skipToFastify, urlNotFound } from './express-stack.ts'
import { type FastifySides, originalUrlOf } from './forward.ts'
import { RequestPathInvalid } from '../errors.ts'
import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'

type Query = Readonly<Record<string, unknown>>

/** Forwards the query of a request to Fastify's routes if middleware replaced it. */
interface KeptQueries {
  /** Runs before all middleware: remembers the original query. */
  readonly keep: Handler
  /** Runs after all middleware. */
  readonly forwardChanges: (request: FastifyRequest) => void
}

const isSame = (one: Query, other: Query): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => Object.is(value, other[name]))

const queryOf = (raw: object): Query => {
  const query: unknown = Reflect.get(raw, 'query')
  return isPlainObject(query) ? query : {}
}

/** Remembers the prototypes of requests and responses before Express replaces them. */
interface KeptPrototypes {
  readonly keep: (...objects: readonly object[]) => void
  /** Puts Express's prototype in front of the original one, unless it already extends that. */
  readonly restore: (...objects: readonly object[]) => void
}

/** Keeps the bytes of request bodies that Express reads before Fastify. */
interface KeptBodies {
  /** Keeps what is read from a request from now on. */
  readonly keep: (request: IncomingMessage) => void
  /** A stream of what was read, if it was read completely; else undefined. Anything read afterwards is not kept. */
  readonly replay: (request: IncomingMessage) => Readable | undefined
}

/** URLs of requests while Express handles them. */
interface ExpressUrls {
  /**
   * Sets the URL that Express matches: the path by which Fastify chose the route, normalized.
   * @throws {RequestPathInvalid} there is no path that can be decoded, or it leads up or down folders where files may be served
   */
  readonly enter: (request: FastifyRequest) => void
  /** Like `enter`, for a request that Express has handled before. */
  readonly enterAgain: (raw: IncomingMessage) => void
  /** Restores the client's URL, unless a handler has replaced it. */
  readonly leave: (raw: IncomingMessage) => void
  /** The client's URL. */
  readonly original: (raw: IncomingMessage) => string
}

interface Spellings {
  readonly written: string
  readonly matched: string
}

/** The context for running Express in a server. */
export interface ExpressMounting {
  readonly express: ExpressModule
  readonly makeStack: (first: Handler) => ExpressStack
  /** The paths of the REST API. */
  readonly restPaths: readonly string[]
  /** The value of `req.app` in handlers. */
  readonly app: unknown
  /** Records the two sides of each request. */
  readonly sides: FastifySides
}

type Errors = WeakMap<object, { readonly error: unknown }>

/**
 * Runs layers of Express: the early ones before Fastify's routes, the late ones for requests without a route and for errors
 * of the early ones. An error that no layer handles is answered by Fastify's handler. Returns the function that runs the
 * layers after the REST API for an error of it; undefined if there are none.
 */
export async function registerExpress(
  server: FastifyInstance,
  mounting: ExpressMounting
): Promise<ErrorHandler | undefined> {
  // Plugins that refuse requests have to know that handlers answer in a hook.
  server.decorate('runsExpress', true)
  const errors: Errors = new WeakMap()
  const stack = mounting.makeStack((request, _response, next) => next(errors.get(request)?.error))
  const bodies = createKeptBodies()
  const prototypes = createKeptPrototypes()
  const urls = createExpressUrls()
  const queries = createKeptQueries()
  const enter = toCallbackHook((request, reply) => {
    urls.enter(request)
    prepare(request, reply)
    mounting.sides.set(request.raw, { request, reply })
    prototypes.keep(request.raw, reply.raw)
    if (!request.is404) bodies.keep(request.raw)
  })
  server.addHook('onRequest', enter)
  const first = [setUp(mounting.app, prototypes, urls), queries.keep]
  const run = makeRunner(mounting.express, server.prefix, first, [stack.early, lateErrors(stack.late, errors)])
  server.addHook('onRequest', ({ raw }, reply, done) => run(raw, reply.raw, done as Next)) // it takes whatever was thrown
  server.addHook('onRequest', (request, reply, done) => {
    urls.leave(request.raw)
    queries.forwardChanges(request)
    keepNext(request, reply)
    done()
  })
  answerUnknownPaths(server)
  const finish = finisher(mounting, stack.late, server.prefix, urls)
  server.addHook('preParsing', (request, reply, payload, done) => {
    finish(request, reply, (error) => done(error ?? consumed(request), bodies.replay(request.raw) ?? payload))
  })
  server.addHook('preHandler', showCall)
  // For a route that finds out that it has no answer, such as that of static files.
  server.addHook('preHandler', finish)
  const { behindRest } = stack
  return behindRest && restErrors(mountBelow(mounting.express, server.prefix, behindRest), errors, urls)
}

/** What middleware logs of a request may be about its call. */
function showCall(request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const call: unknown = Reflect.get(request, 'operationContext')
  Object.assign(request.raw, { remotingContext: call ?? undefined })
  done()
}

/** Runs the layers behind the REST API for an error of it. */
function restErrors(behind: Handler, errors: Errors, urls: ExpressUrls): ErrorHandler {
  return (error, request, response, next) => {
    errors.set(request, { error })
    urls.enterAgain(request)
    behind(request, response, (left) => {
      urls.leave(request)
      next(left ?? urlNotFound(request))
    })
  }
}

/** A router for layers that see URLs without the prefix of the server. */
function mountBelow(express: ExpressModule, prefix: string, layers: Handler): ExpressRouter {
  const router = express.Router()
  router.use(prefix === '' ? '/' : prefix, layers)
  return router
}

/** An application of Express for the layers. Those of paths see URLs without the prefix of the server, as routes do. */
function makeRunner(
  express: ExpressModule,
  prefix: string,
  first: readonly Handler[],
  layers: readonly (Handler | ErrorHandler)[]
): Handler {
  const runner = express()
  runner.set('x-powered-by', false)
  for (const layer of first) runner.use(layer)
  for (const layer of layers) runner.use(prefix === '' ? '/' : prefix, layer)
  return runner
}

/** Below a prefix, hooks see requests without a route only where they are answered. */
function answerUnknownPaths(server: FastifyInstance): void {
  if (server.prefix === '') return
  try {
    server.setNotFoundHandler(({ raw }: FastifyRequest) => {
      throw urlNotFound(raw)
    })
  } catch {
    // Another plugin answers them.
  }
}

/** Shows Express what Fastify knows of a request: who sent it, and what plugins answer with. */
function prepare({ raw, id, hostname, ip, ips, log }: FastifyRequest, reply: FastifyReply): void {
  // Parsers of bodies look at it, and requests of `inject` do not have it.
  raw.once('end', () => Object.assign(raw, { complete: true }))
  Object.assign(raw, { id, hostname, ip, ips, log })
  addHeaders(reply)
}

function addHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
}

/** Functions of the response report errors to `req.next`, which Express takes away when its handlers are through. */
function keepNext({ raw, log }: FastifyRequest, reply: FastifyReply): void {
  const next: Next = (error) => {
    if (reply.sent || reply.raw.headersSent)
      log.warn({ err: error }, 'an Express handler failed after the response was sent')
    else if (error === undefined || error === null) reply.callNotFound()
    else void reply.send(error instanceof Error ? error : new Error(String(error)))
  }
  Object.assign(raw, { next })
}

/** Gives handlers requests and responses that are Node's, Express's and the application's at once. */
function setUp(app: unknown, prototypes: KeptPrototypes, urls: ExpressUrls): Handler {
  return (request, response, next) => {
    prototypes.restore(request, response)
    Object.assign(response, { app })
    Object.assign(request, { app, originalUrl: originalUrlOf(request) ?? urls.original(request) })
    next()
  }
}

function lateErrors(late: Handler, errors: Errors): ErrorHandler {
  return (error, request, response, next) => {
    if (error === skipToFastify) {
      next()
      return
    }
    errors.set(request, { error })
    late(request, response, (left) => next(left ?? urlNotFound(request)))
  }
}

/** Runs the late layers, once, for a request that no route of Fastify takes. */
function finisher(
  { express, restPaths }: ExpressMounting,
  late: Handler,
  prefix: string,
  urls: ExpressUrls
): (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void {
  const finished = new WeakSet<object>()
  const router = mountBelow(express, prefix, late)
  const paths = restPaths.map((path) => `${prefix}${path}`)
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const { raw } = request
    if (!request.is404 || finished.has(raw) || isBelow(request, paths)) {
      done()
      return
    }
    finished.add(raw)
    addHeaders(reply)
    const next: Next = (error) => {
      urls.leave(raw)
      done(error === undefined || error === null ? undefined : (error as Error)) // whatever was thrown
    }
    urls.enterAgain(raw)
    router(raw, reply.raw, next)
  }
}

/** A body that Express read for a path without a route: there is nothing left to parse. */
function consumed({ is404, raw }: FastifyRequest): Error | null {
  const hasBody = raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined
  return is404 && hasBody && raw.readableEnded ? urlNotFound(raw) : null
}

/** What serves files reads a folder from dots, and Express does not: a guard of that folder would not see the request. */
function mayServeFiles({ is404, routeOptions: { url } }: FastifyRequest): boolean {
  return is404 || url === undefined || url.endsWith('*')
}

function matchedUrl(request: FastifyRequest): string {
  const path = requestPath(request)
  if (path === undefined) throw new RequestPathInvalid('the path of the request cannot be decoded')
  if (hasDotSegment(path) && mayServeFiles(request))
    throw new RequestPathInvalid('the path of the request contains dot segments')
  return writePath(path)
}

/** Makes the store of one server. */
function createExpressUrls(): ExpressUrls {
  const urls = new WeakMap<IncomingMessage, Spellings>()
  return {
    enter: (request) => {
      const { raw } = request
      const matched = matchedUrl(request)
      urls.set(raw, { written: raw.url ?? '/', matched })
      raw.url = matched
    },
    enterAgain: (raw) => {
      const spellings = urls.get(raw)
      if (raw.url === spellings?.written) Object.assign(raw, { url: spellings?.matched })
    },
    leave: (raw) => {
      const spellings = urls.get(raw)
      if (raw.url === spellings?.matched) Object.assign(raw, { url: spellings?.written })
    },
    original: (raw) => urls.get(raw)?.written ?? raw.url ?? '/'
  }
}

/** Makes the store of one server. Bytes are kept until Fastify reads them, or as long as the request. */
export function createKeptBodies(): KeptBodies {
  const bodies = new WeakMap<IncomingMessage, Buffer[]>()
  return {
    keep: (request) => {
      const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
      if (length === '0' && encoding === undefined) return
      const chunks: Buffer[] = []
      bodies.set(request, chunks)
      // Every way of reading a stream emits its data.
      const emit = request.emit.bind(request)
      request.emit = (event: string | symbol, ...args: unknown[]): boolean => {
        const [chunk] = args
        if (event === 'data' && chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
        return emit(event, ...args)
      }
    },
    replay: (request) => {
      const chunks = bodies.get(request)
      if (chunks === undefined) return undefined
      bodies.delete(request)
      Reflect.deleteProperty(request, 'emit')
      return request.readableEnded ? streamOf(chunks, request) : undefined
    }
  }
}

function streamOf(chunks: readonly Buffer[], { headers }: IncomingMessage): Readable {
  const bytes = Buffer.concat(chunks)
  const stream = new PassThrough()
  stream.end(bytes)
  // Fastify compares it with the header.
  return Object.assign(stream, { receivedEncodedLength: Number(headers['content-length'] ?? bytes.length) })
}

/**
 * Makes the store of one server. Express replaces the prototype of its arguments by one that extends Node's request or
 * response: objects of another class, such as those of `inject`, would lose their methods.
 */
export function createKeptPrototypes(): KeptPrototypes {
  const prototypes = new WeakMap<object, object>()
  return {
    keep: (...objects) => {
      for (const object of objects) prototypes.set(object, prototypeOf(object))
    },
    restore: (...objects) => {
      for (const object of objects) restoreOne(object, prototypes.get(object))
    }
  }
}

function restoreOne(object: object, original: object | undefined): void {
  const prototype = prototypeOf(object)
  if (original === undefined || original === prototype || extendsIt(prototype, original)) return
  const layers: object[] = []
  for (let layer = prototype; !extendsIt(original, layer) && layer !== Object.prototype; layer = prototypeOf(layer)) {
    layers.unshift(layer)
  }
  const joined = layers.reduce<object>(
    (below, layer) => Object.create(below, Object.getOwnPropertyDescriptors(layer)) as object, // it makes objects
    original
  )
  Object.setPrototypeOf(object, joined)
}

function extendsIt(object: object, prototype: object): boolean {
  return Object.prototype.isPrototypeOf.call(prototype, object)
}

function prototypeOf(object: object): object {
  return Object.getPrototypeOf(object) as object // requests and responses have one
}

/** Makes it for one server. */
function createKeptQueries(): KeptQueries {
  const written = new WeakMap<object, Query>()
  return {
    keep: (request, _response, next) => {
      written.set(request, { ...queryOf(request) })
      next()
    },
    forwardChanges: (request) => {
      const { raw } = request
      const before = written.get(raw)
      const query = queryOf(raw)
      if (before === undefined || isSame(before, query)) return
      request.query = { ...query }
      replaceQuery(raw, query)
    }
  }
}
