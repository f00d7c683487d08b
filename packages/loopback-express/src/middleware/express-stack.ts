import { UrlNotFound } from '../errors.ts'
import type { ExpressCall } from '../routers/script-router.ts'
import { addCall, type CallParts } from './add-call.ts'
import type { ErrorHandler, ExpressRouter, Handler, Next } from './express-module.ts'
import { leave } from './leave.ts'
import type { MiddlewareEntry } from './middleware-entry.ts'
import { phaseRank } from './phase-order.ts'
import { isFunction } from '../script-function.ts'
import { expressHandler } from './run-handler.ts'
import { translatePath } from './translate-path.ts'

/** What the layers of Express are made of. */
export interface StackParts extends CallParts {
  /** All of `middleware.json`, in order. */
  readonly entries: readonly MiddlewareEntry[]
  /** Handlers of the entries that are middleware of Express. */
  readonly handlers: ReadonlyMap<MiddlewareEntry, unknown>
  readonly calls: readonly ExpressCall[]
  readonly phases: readonly string[]
}

/** The layers of Express on both sides of Fastify's routes. */
export interface ExpressStack {
  /** Phases up to `routes`. */
  readonly early: ExpressRouter
  /** `files` and `final`: for requests that nothing answered, and for errors. */
  readonly late: Handler
  /** Everything behind the REST API, for its errors; undefined where that is nothing. */
  readonly behindRest: Handler | undefined
}

interface Layer {
  readonly rank: number
  readonly add: (target: ExpressRouter) => void
  /** The REST API is there. */
  readonly isRest?: boolean
}

/** Marks a request that goes on as it is. */
export const passOn: unique symbol = Symbol('pass on')

/** A router answers OPTIONS by itself once its layers are through, unless there was an error. */
const keepOptions: Handler = ({ method }, _response, next) => next(method === 'OPTIONS' ? passOn : undefined)

const answerUnknown: Handler = (request, _response, next) => next(urlNotFound(request))

/** The error of a request that nothing answered. */
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
 * Sorts all layers by phase, those of a phase in the order in which they were added: `middleware.json` before scripts. What
 * scripts add without a phase comes first in `routes`, `first` before the late layers. What answers all errors ends them for those
 * behind it.
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
  if (name === 'loopback#rest') return (target) => target.use(places, leave)
  if (name === 'loopback#status') return (target) => target.all(places, leave)
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
