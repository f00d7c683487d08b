import { ScriptArgumentInvalid, UrlNotFound } from '../errors.ts'
import { callsOf, type ExpressCall, isRouter } from './script-router.ts'
import type { ErrorHandler, ExpressModule, ExpressRouter, Handler, Next } from './express-module.ts'
import { exitRouter, skip } from './forward.ts'
import { type MiddlewareEntry, phaseRank } from './middleware-entry.ts'
import { isFunction } from '../callback-bridge.ts'
import { expressHandler } from './run-handler.ts'
import { messageOf } from './script-objects.ts'
import { readMark } from './marked-handler.ts'
import { encodeSegment } from '@modelwire/server'

/** Characters that mean something in paths of Express. */
const syntax = /[:*+()!$]/g

/** Parts of a path that are regular expressions, such as `(\\d+)` of `/:id(\\d+)`. */
const groups = /(\((?:[^()]|\([^()]*\))*\))/

/** The replacements of handlers that scripts mounted. */
interface CallParts {
  readonly express: ExpressModule
  /** Authenticates, in place of `loopback.token()`; undefined if that is not used. */
  readonly tokenLayer: Handler | undefined
}

/** Paths that an explorer at the root answers. */
const explorerPaths = ['/', '/index.html', '/swagger.json', '/openapi.json']

/** The dependencies of Express's layers. */
export interface StackParts extends CallParts {
  /** All of `middleware.json`, in order. */
  readonly entries: readonly MiddlewareEntry[]
  /** Handlers of the entries that are Express middleware. */
  readonly handlers: ReadonlyMap<MiddlewareEntry, unknown>
  readonly calls: readonly ExpressCall[]
  readonly phases: readonly string[]
}

/** The layers of Express before and after Fastify's routes. */
export interface ExpressStack {
  /** Phases up to `routes`. */
  readonly early: ExpressRouter
  /** `files` and `final`: for unanswered requests, and for errors. */
  readonly late: Handler
  /** Everything after the REST API, for its errors; undefined if there is nothing. */
  readonly behindRest: Handler | undefined
}

interface Layer {
  readonly rank: number
  readonly add: (target: ExpressRouter) => void
  /** This is the REST API. */
  readonly isRest?: boolean
}

/** Marks a request that continues unchanged. */
export const skipToFastify: unique symbol = Symbol('pass on')

/** A router answers OPTIONS by itself once its layers are through, unless there was an error. */
const keepOptions: Handler = ({ method }, _response, next) => next(method === 'OPTIONS' ? skipToFastify : undefined)

const answerUnknown: Handler = (request, _response, next) => next(urlNotFound(request))

/** The error of an unanswered request. */
export function urlNotFound({
  method = '',
  originalUrl = ''
}: {
  method?: string | undefined
  originalUrl?: string | undefined
}): UrlNotFound {
  return new UrlNotFound(`Cannot ${method} ${originalUrl.split('?')[0] ?? ''}`)
}

/**
 * Sorts all layers by phase, those of a phase in the order in which they were added: `middleware.json` before scripts.
 * Layers that scripts add without a phase come first in `routes`, `first` before the late layers. A layer that handles all
 * errors hides them from later ones.
 * @throws {ScriptArgumentInvalid} Express refuses a path
 * @see LoopBack 3: loopback, lib/server-app.js, _sortLayersByPhase
 */
export function createStack(parts: StackParts, first: Handler): ExpressStack {
  const { express, phases } = parts
  const ends = new WeakMap<object, Next>()
  const layers = [...entryLayers(parts, ends), ...callLayers(parts)].toSorted((one, other) => one.rank - other.rank)
  const [early, late, behind] = [express.Router(), express.Router(), express.Router()]
  late.use(first)
  behind.use(first)
  const border = phaseRank('files:before', phases)
  for (const { rank, add } of layers) add(rank < border ? early : late)
  early.use(keepOptions)
  const behindRest = layers.slice(layers.findLastIndex(({ isRest }) => isRest === true) + 1)
  for (const { add } of behindRest) add(behind)
  const endingAt =
    (router: ExpressRouter): Handler =>
    (request, response, next) => {
      ends.set(request, next)
      router(request, response, next)
    }
  return { early, late: endingAt(late), behindRest: behindRest.length === 0 ? undefined : endingAt(behind) }
}

/** What answers errors is Fastify's: those behind it do not see them. */
const endErrors =
  (ends: WeakMap<object, Next>): ErrorHandler =>
  (error, request, _response, next) =>
    (ends.get(request) ?? next)(error)

function entryLayers({ entries, handlers, phases }: StackParts, ends: WeakMap<object, Next>): Layer[] {
  return entries.flatMap((entry) => {
    const { name, phase } = entry
    const add = entryLayer(entry, handlers.get(entry), ends)
    return add === undefined ? [] : [{ rank: phaseRank(phase, phases), add, isRest: name === 'loopback#rest' }]
  })
}

const errorAnswers: ReadonlySet<string> = new Set(['strong-error-handler', 'errorhandler', 'loopback#errorHandler'])

const toHandler = (handler: unknown): unknown => (isFunction(handler) ? expressHandler(handler) : handler)

function entryLayer(
  { name, paths }: MiddlewareEntry,
  handler: unknown,
  ends: WeakMap<object, Next>
): Layer['add'] | undefined {
  const places = translatePath(paths.length === 0 ? '/' : [...paths])
  if (handler !== undefined) return (target) => target.use(places, ...[handler].flat().map(toHandler))
  if (name === 'loopback#rest') return (target) => target.use(places, exitRouter)
  if (name === 'loopback#status') return (target) => target.all(places, exitRouter)
  if (name === 'loopback#urlNotFound') return (target) => target.use(answerUnknown)
  if (errorAnswers.has(name)) return (target) => target.use(endErrors(ends))
  return undefined
}

function callLayers(parts: StackParts): Layer[] {
  const { calls, phases } = parts
  return calls.map((call) => ({
    rank: call.phase === undefined ? phaseRank('routes', phases) - 0.5 : phaseRank(call.phase, phases),
    add: (target) => addCall(target, call, parts),
    isRest: call.marks.some(({ kind }) => kind === 'rest')
  }))
}

/**
 * Repeats a call that a script made on a router of Express. Where the script mounted another handler of LoopBack than a status,
 * requests leave the router, for Fastify answers them.
 * @throws {ScriptArgumentInvalid} Express refuses the call; `cause` is its error
 */
function addCall(target: ExpressRouter, call: ExpressCall, parts: CallParts): void {
  repeat(target, call, parts)
  for (const { kind, path } of call.marks) {
    if (kind === 'rest') target.use(path, exitRouter)
    if (kind === 'favicon') target.all(path, exitRouter)
    // An explorer at the root leaves everything else to those behind it.
    if (kind === 'explorer') target.all(path === '/' ? explorerPaths : [path, `${path}/*`], exitRouter)
  }
}

function repeat(target: ExpressRouter, { method, args, file }: ExpressCall, parts: CallParts): void {
  const own: unknown = Reflect.get(target, method)
  const [first, ...others] = args
  const path = translatePath(first)
  try {
    if (!isFunction(own)) throw new TypeError(`there is no ${method}`)
    // Functions of parameters have arguments of their own.
    const handlerArgs = method === 'param' ? args : [path, ...others].map((arg) => toExpress(arg, parts))
    own.apply(target, [...handlerArgs])
  } catch (cause) {
    throw new ScriptArgumentInvalid(`Express refuses the call of ${method}: ${messageOf(cause)}`, { file }, { cause })
  }
}

/** `loopback.status()` among handlers of Express: it answers in its place, whatever the method. */
function statusHandler(): Handler {
  const started = new Date()
  return (_request, response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(JSON.stringify({ started, uptime: (Date.now() - started.getTime()) / 1000 }))
  }
}

function toExpress(arg: unknown, parts: CallParts): unknown {
  if (Array.isArray(arg)) return arg.map((item) => toExpress(item, parts))
  const mark = readMark(arg)
  if (mark?.kind === 'status') return statusHandler()
  if (mark !== undefined) return (mark.kind === 'token' && parts.tokenLayer) || skip
  if (!isRouter(arg)) return isFunction(arg) ? expressHandler(arg) : arg
  const router = parts.express.Router()
  for (const call of callsOf(arg)) repeat(router, call, parts)
  return router
}

/** Routes are found in any case; what is in front of them has to be as well. */
function inAnyCase(path: RegExp): RegExp {
  return path.ignoreCase ? path : new RegExp(path.source, `${path.flags}i`)
}

/** Spells a path as URLs are spelled that Express matches with it. */
function spellPath(path: string): string {
  return path
    .split(groups)
    .map((part) => (groups.test(part) ? part : spellText(part)))
    .join('')
}

function spellText(text: string): string {
  return text
    .replace(/(?:%[\da-f]{2})+/gi, spellEscapes)
    .replace(/[^\x21-\x7e]+|[";<>^`|]+/gu, (other) => encodeSegment(other.toWellFormed()))
    .replace(/\/{2,}/g, '/')
}

function spellEscapes(escapes: string): string {
  try {
    const text = decodeURIComponent(escapes)
    return /^\.+$/.test(text) ? text : encodeSegment(text).replaceAll(syntax, '\\$&')
  } catch {
    // No URL that a route is chosen by has it.
    return escapes
  }
}

/** A path in the spelling of the URLs that Express compares it with. */
export function translatePath(path: unknown): unknown {
  if (Array.isArray(path)) return path.map(translatePath)
  if (path instanceof RegExp) return inAnyCase(path)
  return typeof path === 'string' ? spellPath(path) : path
}
