import type { ModelRegistry, OperationContext } from '@modelwire/core'
import type { CompiledOperation, Mount, MountedRoute } from '@modelwire/core/plugin'
import type { AnswerBounds } from '@modelwire/core/connector'
import type { AnswerHook, Awaitable } from '@modelwire/server'
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler, preHandlerHookHandler } from 'fastify'
import type { CheckArguments, ReadArguments } from '../input/read-arguments.ts'
import type { ReadQuery } from '../input/read-query.ts'
import type { RestSettings } from '../options.ts'
import type { Negotiator } from '../output/negotiate-type.ts'
import type { Serializers } from '../output/serialize-value.ts'
import type { ErrorAnswers } from '../output/send-error.ts'
import type { AnswerSteps, SendResult } from '../output/send-result.ts'

/** One mounted API: the dependencies of its routes and layers. */
export interface Mounting {
  readonly scope: FastifyInstance
  /** The path of the API on the server; empty at its root. */
  readonly prefix: string
  readonly registry: ModelRegistry
  readonly settings: RestSettings
  readonly readQuery: ReadQuery
  /** Chooses the representations of responses. */
  readonly negotiate: Negotiator
  readonly serializers: Serializers
  /** The maximum size of responses. */
  readonly bounds: AnswerBounds
  readonly errors: ErrorAnswers
  /** The headers of all layers. */
  readonly headers: Required<LayerHeaders>
}

/** Names of headers, in lower case. */
interface LayerHeaders {
  /** Request headers: each request of a batch may set its own. */
  readonly request?: readonly string[]
  /** Response headers: included in the responses of batches. */
  readonly response?: readonly string[]
}

/** Fastify's hooks of one route. */
export interface RouteHooks {
  /** After the guards: the caller is admitted. */
  readonly preHandler?: readonly (preHandlerHookHandler | preHandlerAsyncHookHandler)[]
  readonly onSend?: AnswerHook
}

/**
 * The steps of a layer for the requests of one operation. They run together with those of other layers, in the order of the
 * table.
 */
export interface Steps extends AnswerSteps {
  /** Checks or completes the arguments while they are read: once per query string. */
  readonly check?: CheckArguments | undefined
  /** Runs once the arguments of a request are read. */
  readonly begin?: ((request: FastifyRequest, context: OperationContext) => void) | undefined
  readonly hooks?: ((route: MountedRoute) => RouteHooks) | undefined
  /** Makes the function that sends the result, if it is not a value in a representation: layers do not see it then. */
  readonly send?: ((read: ReadArguments) => SendResult) | undefined
}

/** A layer of one API. */
export interface MountedLayer {
  /** Returns the steps for an operation that the layer applies to. */
  readonly claim: (call: CompiledOperation) => Steps | undefined
  /** Returns the layer's description for documents, once all routes of operations exist. It may add routes. */
  readonly document?: (routes: Mount['routes']) => Awaitable<Partial<Mount>>
}

/** A feature of the API besides calling operations: a row of the table in `layers.ts`. */
export interface Layer {
  readonly headers?: LayerHeaders
  /** Runs before the registry is sealed; undefined if the options do not enable the layer. */
  readonly mount: (mounting: Mounting) => MountedLayer | undefined
}
