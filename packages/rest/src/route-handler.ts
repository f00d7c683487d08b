import { ApiError, type OperationContext } from '@modelwire/core'
import {
  admit,
  type AnswerHook,
  andThen,
  type Awaitable,
  Client,
  type CompiledOperation,
  type Endpoint,
  isAnswered,
  loadInstance,
  needsAdmission,
  needsInstance,
  nothingFound,
  perform,
  toCallbackHook,
  registryOf
} from '@modelwire/core/plugin'
import type {
  FastifyReply,
  FastifyRequest,
  preHandlerAsyncHookHandler,
  preHandlerHookHandler,
  preValidationAsyncHookHandler,
  preValidationHookHandler,
  RouteHandlerMethod
} from 'fastify'
import { endAfterAdmission } from './admission.ts'
import { compileConditions } from './conditional/preconditions.ts'
import { HttpContext } from './http-context.ts'
import type { IdempotentHooks } from './idempotency/idempotent-requests.ts'
import { throwIfRefused } from './input/body-parsers.ts'
import type { ReadArguments } from './input/argument-reader.ts'
import type { ReadingOptions } from './input/read-arguments.ts'
import type { ListFacts } from './lists/list-facts.ts'
import { hasErrorStatus } from './output/error-status.ts'
import { compilePreferences } from './preferences/apply-preferences.ts'
import { compileRefusal } from './preferences/refuse-unknown.ts'
import type { ErrorHandler } from './output/send-error.ts'
import type { SendResult } from './output/result-sender.ts'

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
  /** Present where the operation gives a list. */
  readonly list: ListFacts | undefined
  readonly send: SendResult
  readonly reading: ReadingOptions
  /** Answers an error that a client caused. */
  readonly sendError: ErrorHandler
}

/** The functions of one route: arguments first, then guards, then the method. */
export interface RouteHandlers {
  readonly preValidation: preValidationHookHandler | preValidationAsyncHookHandler
  readonly preHandler?: preHandlerHookHandler | (preHandlerHookHandler | preHandlerAsyncHookHandler)[]
  readonly onSend?: AnswerHook
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

/** The arguments of a call; what a body lacks that was refused is no fault of its own. */
function readOrRefuse(read: ReadArguments, ...of: Parameters<ReadArguments>): ReturnType<ReadArguments> {
  try {
    return read(...of)
  } catch (error) {
    throw of[0].bodyRefusal ?? error
  }
}

type CallerOptions = ReadingOptions['callerOptions'] & { accessToken: object | null | undefined }
type Begin = (request: FastifyRequest, reply: FastifyReply) => OperationContext

/** Makes the function that starts a call: it reads the arguments. */
function makeBegin({ call, read, reading, list }: MountedOperation, endpoint: Endpoint): Begin {
  const { callerOptions, clientLimits, readQuery, settings } = reading
  const { operation, wantsInstances } = call
  const refuse = settings.handling === 'strict' ? undefined : compileRefusal(operation)
  const applyPreferences = compilePreferences(operation, readQuery, refuse)
  const tellsAll = list?.forAll === true
  const registry = registryOf(operation.model)
  // Not frozen, and with all that is set below: copies of frozen objects are slow, and so are objects that grow.
  const own: CallerOptions = { ...callerOptions, accessToken: registry.rules.nullsAbsentToken ? null : undefined }
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
    const id = operation.onInstance ? idOf(request) : undefined
    const context = new HttpContext(
      operation,
      { options, client, id, endpoint, wantsInstances },
      { request, reply, readQuery }
    )
    const ownOptions = registry.optionsOfCall?.(context)
    if (ownOptions !== undefined) context.options = { ...callerOptions, ...ownOptions }
    context.args = readOrRefuse(read, request, reply, context)
    const prefers = request.headers.prefer !== undefined
    if (prefers) applyPreferences(request, context)
    if (prefers || tellsAll) list?.ask(request, context)
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
    begin(request, reply)
    done()
  }
}

/** Makes the hook that runs what comes before access control, the guards, and the client's preconditions; undefined where there is none of them. */
function makePreHandler(call: CompiledOperation): preHandlerHookHandler | undefined {
  const apply = compileConditions(call.operation)
  if (apply === undefined)
    return needsAdmission(call) ? toCallbackHook((request) => admit(call, contextOf(request))) : undefined
  return toCallbackHook((request) => {
    const context = contextOf(request)
    return andThen(admit(call, context), () => apply(request, context))
  })
}

/** Makes the handler of an operation. It answers at once where nothing has to be waited for: no promise is made then. */
function makeHandler({ call, send, sendError }: MountedOperation): RouteHandlerMethod {
  const carryOut = call.operation.errorStatus === undefined ? perform : performWithStatus
  const finish = (request: FastifyRequest, reply: FastifyReply, context: OperationContext): Awaitable<FastifyReply> => {
    // A method may have answered by itself through the response.
    if (!call.isPlain && isAnswered(reply)) return reply
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
      throwIfRefused(request)
      running = carryOut(call, context)
    } catch (error) {
      refuse(error, request, reply)
      return undefined
    }
    if (running instanceof Promise)
      return running.then(
        () => finish(request, reply, context),
        (error: unknown) => refuse(error, request, reply)
      )
    const sending = finish(request, reply, context)
    return sending instanceof Promise ? sending : undefined
  }
}

/** Where requests may have keys, and where a batch that has one is given its answer again. */
export interface KeySteps {
  /** Present where requests to an endpoint may have keys. */
  readonly idempotent: IdempotentHooks | undefined
  /** Requests may ask for admission alone. */
  readonly readmits: boolean
}

/** The same steps with the key of the request: it is claimed for a caller who is admitted, before the client's preconditions. */
function makeKeySteps(call: CompiledOperation, { idempotent, readmits }: KeySteps): Partial<RouteHandlers> {
  const apply = compileConditions(call.operation)
  const admitting = needsAdmission(call) ? [toCallbackHook((request) => admit(call, contextOf(request)))] : []
  const ending = readmits ? [endAfterAdmission] : []
  // A refused request takes no key.
  const claiming = idempotent === undefined ? [] : [toCallbackHook(throwIfRefused), idempotent.claim]
  const applying = apply === undefined ? [] : [toCallbackHook((request) => apply(request, contextOf(request)))]
  const preHandler = [...admitting, ...ending, ...claiming, ...applying]
  return idempotent === undefined ? { preHandler } : { preHandler, onSend: idempotent.keep }
}

/** Makes the functions of one endpoint. */
export function routeHandlers(mounted: MountedOperation, endpoint: Endpoint, keys: KeySteps): RouteHandlers {
  const { call } = mounted
  const preValidation = makePreValidation(call, makeBegin(mounted, endpoint))
  const handler = makeHandler(mounted)
  if (keys.idempotent !== undefined || keys.readmits) return { preValidation, handler, ...makeKeySteps(call, keys) }
  const preHandler = makePreHandler(call)
  return preHandler === undefined ? { preValidation, handler } : { preValidation, handler, preHandler }
}
