import { ApiError, checkGuards, type CompiledOperation, type Endpoint, loadInstance, nothingFound, type OperationContext, perform } from '@modelwire/core'
import type { FastifyReply, FastifyRequest, preHandlerAsyncHookHandler, preValidationHookHandler, RouteHandlerMethod } from 'fastify'
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
  readonly preValidation: preValidationHookHandler
  readonly preHandler?: preHandlerAsyncHookHandler
  readonly handler: RouteHandlerMethod
}

/** Ids in paths; the text null is none. */
function idOf(request: FastifyRequest): string | undefined {
  const { id } = request.params as { id?: string }
  return id === 'null' ? undefined : id
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

/** Makes the functions of one endpoint. */
export function routeHandlers({ call, read, send, callerOptions, sendError }: MountedOperation, endpoint: Endpoint): RouteHandlers {
  const { operation } = call
  const run = operation.errorStatus === undefined ? perform : performWithStatus
  const { registry } = operation.model
  const shared = Object.freeze({ ...callerOptions, accessToken: null })
  // Code of the application may change the options of a call; without such code all calls share them.
  const hasReaders = call.tellsCaller || call.before.length > 0 || call.after.length > 0
  const begin = (request: FastifyRequest, reply: FastifyReply): OperationContext => {
    const input = {
      options: hasReaders || registry.observed ? { ...shared } : shared,
      id: operation.onInstance ? idOf(request) : undefined,
      endpoint,
      wantsInstances: call.wantsInstances
    }
    const context = new HttpContext(operation, input, request, reply)
    context.args = read(request, reply, context)
    request.operationContext = context
    return context
  }
  const readArguments: preValidationHookHandler = (request, reply, done) => {
    try {
      begin(request, reply)
      done()
    } catch (error) {
      done(error as Error) // readers throw errors alone
    }
  }
  const readAndLoad = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => loadInstance(begin(request, reply))
  const handler: RouteHandlerMethod = async (request, reply) => {
    const context = contextOf(request)
    try {
      await run(call, context)
    } catch (error) {
      if (!isExpected(error)) throw error
      sendError(error, request, reply)
      return reply
    }
    const missing = nothingFound(call, context)
    if (missing !== undefined) {
      sendError(missing, request, reply)
      return reply
    }
    // A method may have answered by itself through the response.
    return reply.sent ? reply : send(request, reply, context)
  }
  const preValidation = operation.loadInstance === undefined ? readArguments : (readAndLoad as unknown as preValidationHookHandler)
  if (call.guards.length === 0) return { preValidation, handler }
  return { preValidation, handler, preHandler: async (request) => checkGuards(call, contextOf(request)) }
}
