import { isBelow, toCallbackHook } from '@modelwire/core/plugin'
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { ErrorHandler, ExpressModule, ExpressRouter, Handler, Next } from './express-module.ts'
import { type ExpressStack, passOn, urlNotFound } from './express-stack.ts'
import { createExpressUrls, type ExpressUrls } from './express-urls.ts'
import { originalUrlOf } from './hand-on.ts'
import type { FastifySides } from './hook-layer.ts'
import { createKeptBodies } from './kept-bodies.ts'
import { createKeptQueries } from './kept-queries.ts'
import { createKeptPrototypes, type KeptPrototypes } from './kept-prototypes.ts'

/** The context of running Express in a server. */
export interface ExpressMounting {
  readonly express: ExpressModule
  readonly makeStack: (first: Handler) => ExpressStack
  /** Where the REST API is. */
  readonly restPaths: readonly string[]
  /** What handlers find as `req.app`. */
  readonly app: unknown
  /** Records the two sides of each request. */
  readonly sides: FastifySides
}

type Errors = WeakMap<object, { readonly error: unknown }>

/**
 * Runs layers of Express: the early ones before Fastify's routes, the late ones for requests without a route and for
 * errors of the early ones. An error that no layer answers is answered by Fastify's handler. Returns what runs the layers behind the
 * REST API for an error of it; undefined where there are none.
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
  return behindRest && restErrors(below(mounting.express, server.prefix, behindRest), errors, urls)
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
function below(express: ExpressModule, prefix: string, layers: Handler): ExpressRouter {
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
    if (reply.sent || reply.raw.headersSent) log.warn({ err: error }, 'a handler of Express failed after the answer')
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
    if (error === passOn) {
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
  const router = below(express, prefix, late)
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
