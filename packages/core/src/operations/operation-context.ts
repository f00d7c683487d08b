import { shortName } from '../definition/method-table.ts'
import type { Grant } from '../contract/access-control.ts'
import type { Call, PageRequest } from '../contract/call.ts'
import type { Client, Principal } from '../caller/caller.ts'
import { type Endpoint, methodString, type Operation } from './operation.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The inputs of a call. */
export interface OperationInput {
  readonly args?: Record<string, unknown>
  readonly options?: Record<string, unknown>
  readonly client?: Client | undefined
  readonly id?: string | undefined
  readonly endpoint?: Endpoint | undefined
  readonly wantsInstances?: boolean
}

/** The called method in LoopBack's terms, for scripts. */
export interface MethodView {
  /** Without `prototype.`. */
  readonly name: string
  /** `Product.prototype.save`. */
  readonly stringName: string
  readonly isStatic: boolean
  readonly accessType: string
  readonly aliases: readonly string[]
  readonly accepts: Operation['accepts']
  readonly returns: Operation['returns']
  /** The class of the model. */
  readonly ctor: unknown
  readonly sharedClass: { readonly name: string; readonly ctor: unknown }
}

/**
 * One call of an operation, which remote hooks and guards read and change.
 * @example
 * ```ts
 * import type { OperationContext } from '@modelwire/core'
 * import { rest } from '@modelwire/rest'
 *
 * const note = ({ methodString, args }: OperationContext) => console.log(methodString, args['id']) // Product.findById 1
 * app.models.remoteHooks.add('before', 'Product.findById', note)
 * await app.register(rest)
 * await app.inject('/Products/1')
 * ```
 */
export class OperationContext implements Call {
  readonly operation: Operation
  /** Arguments by name. */
  args: Record<string, unknown>
  /** Passed to data access, so that operation hooks know the caller. */
  options: Record<string, unknown>
  /** The external caller; undefined for application code. */
  client: Client | undefined
  /** What the guard allows the client to see or change of the operation's model. */
  grant: Grant | undefined
  /** The id in the path of an instance operation, as a string. */
  id: string | undefined
  /** The record of an instance operation. */
  instance: object | undefined
  /** The page facts that the client requests, in addition to its records. */
  page: PageRequest | undefined
  /** The response is written part by part: the result of a long list is `PartedRecords`. */
  inParts: boolean
  /** The maximum number of records that a change of many may affect, if the client sets one. */
  maxAffected: number | undefined
  /** Remote hooks need to see records as instances. */
  wantsInstances: boolean
  result: unknown
  error: unknown
  /** Which of the operation's endpoints was called. */
  endpoint: Endpoint | undefined
  /** Set by a returned value with the target `status`. */
  status: number | undefined
  /** Set by returned values with the target `header`. */
  headers: Record<string, string> | undefined

  constructor(operation: Operation, { args, options, client, id, endpoint, wantsInstances }: OperationInput = {}) {
    this.operation = operation
    this.args = args ?? {}
    this.options = options ?? {}
    this.client = client
    this.grant = undefined
    this.id = id
    this.instance = undefined
    this.page = undefined
    this.inParts = false
    this.maxAffected = undefined
    this.wantsInstances = wantsInstances ?? false
    this.result = undefined
    this.error = undefined
    this.endpoint = endpoint
    this.status = undefined
    this.headers = undefined
  }

  /** The caller; undefined without a valid token. */
  get principal(): Principal | undefined {
    return this.client?.principal
  }

  /** The request, if the call came over HTTP. */
  get req(): unknown {
    return undefined
  }

  /** The response, if the call came over HTTP. */
  get res(): unknown {
    return undefined
  }

  /** The client only requests the response headers. */
  get isHead(): boolean {
    return false
  }

  /** True once the response itself returned an error: the method is no longer called. */
  get hasFailed(): boolean {
    return false
  }

  /** The value of `this` in the method and its hooks: the record of an instance operation, else the class of the model. */
  getScope(): object {
    return this.instance ?? this.operation.model.modelClass
  }

  /** `Product.find`, `Product.prototype.patchAttributes`. */
  get methodString(): string {
    return methodString(this.operation)
  }

  /** The called method, as LoopBack's scripts see it. */
  get method(): MethodView {
    const { name, onInstance, accessType, aliases, accepts, returns, model } = this.operation
    return {
      name: shortName(name),
      stringName: this.methodString,
      isStatic: !onInstance,
      accessType,
      aliases,
      accepts,
      returns,
      ctor: model.modelClass,
      sharedClass: { name: model.name, ctor: model.modelClass }
    }
  }
}

/** A request, its reply, its call, and the parser of its query string. */
export interface ScriptExchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Null if the arguments could not be read. */
  readonly call: OperationContext | null
  /** The query string as passed to methods: brackets create objects and lists. */
  readonly readQuery: (request: FastifyRequest) => Readonly<Record<string, unknown>>
}

/**
 * The request and response of a call for application code: Node's objects, extended as it expects. Installed by
 * `loopback/express`.
 */
export interface ScriptObjects {
  readonly request: (exchange: ScriptExchange) => IncomingMessage
  readonly response: (exchange: ScriptExchange) => ServerResponse
  /** True once a function of the response failed, and was answered with an error. */
  readonly hasFailed: (reply: FastifyReply) => boolean
}
