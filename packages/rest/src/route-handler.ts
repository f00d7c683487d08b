import { ApiError, type OperationContext } from '@modelwire/core'
import {
  callSteps,
  Client,
  type CompiledOperation,
  compileOperation,
  defaultDataDepth,
  type MountedRoute,
  type Operation,
  registryOf
} from '@modelwire/core/plugin'
import { type AnswerHook, isAnswered, once } from '@modelwire/server'
import type {
  FastifyReply,
  FastifyRequest,
  preHandlerAsyncHookHandler,
  preHandlerHookHandler,
  preValidationAsyncHookHandler,
  preValidationHookHandler,
  RouteHandlerMethod
} from 'fastify'
import { contextOf, HttpContext } from './http-context.ts'
import { throwIfRefused } from './input/body-parsers.ts'
import { idReader } from './input/id-in-path.ts'
import { compileArguments, type ReadArguments } from './input/read-arguments.ts'
import type { MountedLayer, Mounting, RouteHooks, Steps } from './layers/layer.ts'
import { hasErrorStatus } from './output/error-body.ts'
import type { ErrorHandler } from './output/send-error.ts'
import { compileSending, type SendResult } from './output/send-result.ts'

/** The functions of one route: first the arguments, then the guards, then the method. */
export interface RouteHandlers {
  readonly preValidation: preValidationHookHandler | preValidationAsyncHookHandler
  readonly preHandler: (preHandlerHookHandler | preHandlerAsyncHookHandler)[]
  readonly onSend: AnswerHook[]
  readonly handler: RouteHandlerMethod
}

/** An error that is an answer: it need not go through Fastify, whose `onError` hooks are for accidents. */
const isExpected = (error: unknown): boolean => error instanceof ApiError && error.statusCode < 500

/** Runs the call; an error without a status of its own gets the one that the method declares. */
async function performWithStatus(call: CompiledOperation, context: OperationContext): Promise<void> {
  const { errorStatus } = call.operation
  try {
    await callSteps.perform(call, context)
  } catch (error) {
    if (error instanceof Error && !hasErrorStatus(error)) Object.assign(error, { statusCode: errorStatus })
    throw error
  }
}

/** The arguments of a call; what a body lacks that was refused is no fault of its own. */
function readOrRefuse(read: ReadArguments, ...of: Parameters<ReadArguments>): ReturnType<ReadArguments> {
  try {
    return read(...of)
  } catch (error) {
    throw of[0].bodyRefusal ?? error
  }
}

/** An operation with its argument reader, ready to be called at several endpoints. */
interface Reading {
  readonly call: CompiledOperation
  readonly read: ReadArguments
  /** Reads the id of the record that the operation runs on; undefined if it runs on none. */
  readonly readId: ReturnType<typeof idReader> | undefined
  readonly begins: readonly NonNullable<Steps['begin']>[]
}

type Begin = (request: FastifyRequest, reply: FastifyReply) => OperationContext

/** The options of data access for a caller. Named as in LoopBack: scripts see these keys in the `options` of a call. */
const callerOptions = ({ query }: Mounting['settings']) => ({
  prohibitHiddenPropertiesInQuery: true,
  maxDepthOfQuery: query.depth,
  maxDepthOfData: defaultDataDepth
})

type CallerOptions = ReturnType<typeof callerOptions> & { accessToken: object | null | undefined }

/** Makes the function that starts a call: it reads the arguments. */
function makeBegin(
  { call, read, readId, begins }: Reading,
  endpoint: Operation['endpoints'][number],
  mounting: Mounting
): Begin {
  const { readQuery, bounds, settings } = mounting
  const { depth, conditions, listItems } = settings.query
  const clientLimits = { depth, conditions, listItems, answer: bounds }
  const { operation, wantsInstances } = call
  const base = callerOptions(settings)
  const registry = registryOf(operation.model)
  // Not frozen, and with all that is set below: copies of frozen objects are slow, and so are objects that grow.
  const own: CallerOptions = { ...base, accessToken: registry.rules.nullsAbsentToken ? null : undefined }
  const shared: CallerOptions = Object.freeze({ ...own })
  const anonymous = new Client(undefined, undefined, clientLimits)
  // Code of the application may change the options of a call; without such code all calls share them.
  const hasCode = !call.isPlain || call.guards.some((guard) => !guard.onlyForCallers)
  return (request, reply) => {
    const { principal, accessToken } = request
    const isKnown = accessToken !== null || principal !== null
    const options: CallerOptions = hasCode || isKnown || registry.observed ? { ...own } : shared
    if (accessToken !== null) options.accessToken = accessToken
    const client =
      isKnown || registry.accessControl !== undefined
        ? new Client(principal ?? undefined, accessToken ?? undefined, clientLimits)
        : anonymous
    const id = readId?.(request)
    const context = new HttpContext(
      operation,
      { options, client, id, endpoint, wantsInstances },
      { request, reply, readQuery }
    )
    const ownOptions = registry.optionsOfCall?.(context)
    if (ownOptions !== undefined) context.options = { ...base, ...ownOptions }
    context.args = readOrRefuse(read, request, reply, context)
    for (const step of begins) step(request, context)
    request.operationContext = context
    return context
  }
}

/** Makes the hook that reads the arguments and, for an operation that runs on one, loads the instance. */
function makePreValidation(call: CompiledOperation, begin: () => Begin): RouteHandlers['preValidation'] {
  if (callSteps.needsInstance(call)) {
    const readAndLoad: preValidationAsyncHookHandler = async (request, reply) =>
      callSteps.loadInstance(call, begin()(request, reply))
    return readAndLoad
  }
  return (request, reply, done) => {
    begin()(request, reply)
    done()
  }
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Makes the handler of an operation. */
function makeHandler(call: CompiledOperation, send: SendResult, sendError: ErrorHandler): Handle {
  const carryOut = call.operation.errorStatus === undefined ? callSteps.perform : performWithStatus
  return async (request, reply) => {
    const context = contextOf(request)
    try {
      throwIfRefused(request)
      await carryOut(call, context)
    } catch (error) {
      if (!isExpected(error)) throw error
      sendError(error, request, reply)
      return reply
    }
    // A method may have answered by itself through the response.
    if (!call.isPlain && isAnswered(reply)) return reply
    const missing = callSteps.nothingFound(call, context)
    if (missing === undefined) await send(request, reply, context)
    else sendError(missing, request, reply)
    return reply
  }
}

const answerHooksOf = (hooks: readonly RouteHooks[]): AnswerHook[] => hooks.flatMap(({ onSend }) => onSend ?? [])

/**
 * Makes the function that compiles an operation with the layers that apply to it. That function makes the handlers of each
 * of its routes, without any traces of other layers.
 */
export function operationMounter(
  mounting: Mounting,
  layers: readonly MountedLayer[]
): (operation: Operation) => (route: MountedRoute) => RouteHandlers {
  const { registry, settings, readQuery, negotiate, serializers, bounds, errors } = mounting
  const options = { delimiters: settings.arrayItemDelimiters, readQuery }
  const sending = { settings, readQuery, bounds, negotiate, serializers }
  return (operation) => {
    const call = compileOperation(operation, registry.guardsOf(operation), registry.remoteHooks)
    const steps = layers.flatMap(({ claim }) => claim(call) ?? [])
    // Most routes of many models are never called in a process: what only a call needs is made for the first one.
    const reading = once((): Reading => {
      const checks = steps.flatMap(({ check }) => check ?? [])
      const begins = steps.flatMap(({ begin }) => begin ?? [])
      const readId = operation.onInstance ? idReader(operation, 'id') : undefined
      return { call, read: compileArguments(call, options, checks), readId, begins }
    })
    const handle = once(() => {
      const own = steps.find(({ send }) => send !== undefined)?.send?.(reading().read)
      return makeHandler(call, own ?? compileSending(call, sending, steps), errors.send)
    })
    const handler: Handle = (request, reply) => handle()(request, reply)
    const admitting = callSteps.needsAdmission(call)
      ? [async (request: FastifyRequest) => callSteps.admit(call, contextOf(request))]
      : []
    return (route) => {
      const hooks = steps.flatMap((one) => one.hooks?.(route) ?? [])
      return {
        preValidation: makePreValidation(
          call,
          once(() => makeBegin(reading(), route.endpoint, mounting))
        ),
        preHandler: [...admitting, ...hooks.flatMap(({ preHandler = [] }) => preHandler)],
        handler,
        onSend: answerHooksOf(hooks)
      }
    }
  }
}
