import {
  andThen,
  ApiError,
  type Awaitable,
  type CallOrigin,
  checkGuards,
  type CompiledOperation,
  type Endpoint,
  loadInstance,
  needsGuards,
  needsInstance,
  nothingFound,
  type OperationContext,
  originKey,
  perform
} from '@modelwire/core'
import type {
  FastifyReply,
  FastifyRequest,
  preHandlerHookHandler,
  preValidationAsyncHookHandler,
  preValidationHookHandler,
  RouteHandlerMethod
} from 'fastify'
import { HttpContext } from './http-context.ts'
import type { ReadArguments, ReadingOptions } from './input/read-arguments.ts'
import { hasErrorStatus } from './output/error-status.ts'
import type { ErrorHandler } from './output/send-error.ts'
import type { SendResult } from './output/send-result.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The call that this request makes, once its arguments are read. */
    operationContext: OperationContext | null
  }
}

/** An operation with its reading and sending, ready to be mounted at several endpoints. */
export interface MountedOperation {
  readonly call: CompiledOperation
  readonly read: ReadArguments
  readonly send: SendResult
  readonly callerOptions: ReadingOptions['callerOptions']
  /** Answers an error that a client caused. */
  readonly sendError: ErrorHandler
}

/** The functions of one route: arguments first, then guards, then the method. */
export interface RouteHandlers {
  readonly preValidation: preValidationHookHandler | preValidationAsyncHookHandler
  readonly preHandler?: preHandlerHookHandler
  readonly handler: RouteHandlerMethod
}

/** Ids in paths; the text null is none. */
function idOf({ params }: FastifyRequest): string | undefined {
  const id = typeof params === 'object' && params !== null && 'id' in params ? params.id : undefined
  return typeof id !== 'string' || id === 'null' ? undefined : id
}

/** The call of a request whose arguments were read. */
function contextOf(request: FastifyRequest): OperationContext {
  const { operationContext } = request
  if (operationContext === null) throw new TypeError('the arguments of this request were not read')
  return operationContext
}

/** An error that is an answer: it need not go through Fastify, whose `onError` hooks are for accidents. */
const isExpected = (error: unknown): boolean => error instanceof ApiError && error.statusCode < 500

/** Runs the call; an error without a status of its own gets the one that the method declares. */
async function performWithStatus(call: CompiledOperation, context: OperationContext): Promise<void> {
  const { errorStatus } = call.operation
  try {
    await perform(call, context)
  } catch (error) {
    if (error instanceof Error && !hasErrorStatus(error)) Object.assign(error, { statusCode: errorStatus })
    throw error
  }
}

type CallerOptions = ReadingOptions['callerOptions'] & {
  accessToken: object | undefined
  [originKey]: CallOrigin | undefined
}
type Begin = (request: FastifyRequest, reply: FastifyReply) => OperationContext

/** Makes the function that starts a call: it reads the arguments. */
function makeBegin({ call, read, callerOptions }: MountedOperation, endpoint: Endpoint): Begin {
  const { operation, wantsInstances } = call
  const { registry } = operation.model
  // Not frozen, and with all that is set below: copies of frozen objects are slow, and so are objects that grow.
  const own: CallerOptions = { ...callerOptions, accessToken: undefined, [originKey]: undefined }
  const shared: CallerOptions = Object.freeze({ ...own })
  // Code of the application may change the options of a call; without such code all calls share them.
  const hasHooks = [call.before, call.after].some((list) => list.length > 0)
  const hasReaders = call.tellsCaller || call.guards.some((guard) => !guard.onlyForCallers) || hasHooks
  return (request, reply) => {
    const { principal, accessToken } = request
    const isKnown = accessToken !== null || principal !== null
    const options: CallerOptions = hasReaders || isKnown || registry.observed ? { ...own } : shared
    if (accessToken !== null) options.accessToken = accessToken
    if (principal !== null) options[originKey] = { principal }
    const id = operation.onInstance ? idOf(request) : undefined
    const context = new HttpContext(operation, { options, id, endpoint, wantsInstances }, request, reply)
    if (principal !== null) context.principal = principal
    context.args = read(request, reply, context)
    request.operationContext = context
    return context
  }
}

/** Makes the hook that reads the arguments and, for an operation that runs on one, loads the instance. */
function makePreValidation(call: CompiledOperation, begin: Begin): RouteHandlers['preValidation'] {
  if (needsInstance(call)) {
    const readAndLoad: preValidationAsyncHookHandler = async (request, reply) =>
      loadInstance(call, begin(request, reply))
    return readAndLoad
  }
  return (request, reply, done) => {
    try {
      begin(request, reply)
      done()
    } catch (error) {
      done(error as Error) // readers throw errors alone
    }
  }
}

/** Calls `done` when the guards that have to wait have answered. */
async function finishChecking(checking: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await checking
    done()
  } catch (error) {
    done(error as Error) // guards throw errors alone
  }
}

/** Makes the hook that asks the guards. */
function makePreHandler(call: CompiledOperation): preHandlerHookHandler {
  return (request, _reply, done) => {
    try {
      const checking = checkGuards(call, contextOf(request))
      if (checking instanceof Promise) void finishChecking(checking, done)
      else done()
    } catch (error) {
      done(error as Error) // as above
    }
  }
}

/** Makes the handler of an operation. It answers at once where nothing has to be waited for: no promise is made then. */
function makeHandler({ call, send, sendError }: MountedOperation): RouteHandlerMethod {
  const carryOut = call.operation.errorStatus === undefined ? perform : performWithStatus
  // Guards that let most calls pass are asked here: a hook of its own would cost those.
  const run = (context: OperationContext): Awaitable<void> =>
    call.guardsEverybody || !needsGuards(call, context)
      ? carryOut(call, context)
      : andThen(checkGuards(call, context), () => carryOut(call, context))
  const finish = (request: FastifyRequest, reply: FastifyReply, context: OperationContext): FastifyReply => {
    // A method may have answered by itself through the response.
    if (!call.isPlain && reply.sent) return reply
    const missing = nothingFound(call, context)
    if (missing === undefined) return send(request, reply, context)
    sendError(missing, request, reply)
    return reply
  }
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (!isExpected(error)) throw error
    sendError(error, request, reply)
    return reply
  }
  return (request, reply) => {
    const context = contextOf(request)
    let running: Awaitable<void>
    try {
      running = run(context)
    } catch (error) {
      refuse(error, request, reply)
      return undefined
    }
    if (running instanceof Promise)
      return running.then(
        () => finish(request, reply, context),
        (error: unknown) => refuse(error, request, reply)
      )
    finish(request, reply, context)
    return undefined
  }
}

/** Makes the functions of one endpoint. */
export function routeHandlers(mounted: MountedOperation, endpoint: Endpoint): RouteHandlers {
  const { call } = mounted
  const preValidation = makePreValidation(call, makeBegin(mounted, endpoint))
  const handler = makeHandler(mounted)
  if (call.guardsEverybody) return { preValidation, handler, preHandler: makePreHandler(call) }
  return { preValidation, handler }
}
