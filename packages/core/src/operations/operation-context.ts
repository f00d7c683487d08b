import { shortName } from '../definition/method-name.ts'
import type { Grant } from '../contract/access-control.ts'
import type { Call, PageRequest } from '../contract/call.ts'
import type { Client } from '../caller/client.ts'
import type { Principal } from '../caller/principal.ts'
import { type Endpoint, methodString, type Operation } from './operation.ts'

/** What a call starts with. */
export interface OperationInput {
  readonly args?: Record<string, unknown>
  readonly options?: Record<string, unknown>
  readonly client?: Client | undefined
  readonly id?: string | undefined
  readonly endpoint?: Endpoint | undefined
  readonly wantsInstances?: boolean
}

/** What scripts read of the method that is called, in LoopBack's words. */
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

/** One call of an operation. Remote hooks and guards read and change it. */
export class OperationContext implements Call {
  readonly operation: Operation
  /** Arguments by name. */
  args: Record<string, unknown>
  /** Passed to data access, so that operation hooks know the caller. */
  options: Record<string, unknown>
  /** Who makes the call from outside; undefined where code of the application does. */
  client: Client | undefined
  /** What the guard found that the client may see or change of the model that the operation is about. */
  grant: Grant | undefined
  /** The id in the path of an operation that runs on a record, as text. */
  id: string | undefined
  /** The record of an operation that runs on one. */
  instance: object | undefined
  /** What the client wants to know of the page of a list, beside its records. */
  page: PageRequest | undefined
  /** How many records a change of many may reach, if the client says so. */
  maxAffected: number | undefined
  /** Remote hooks want to see records as instances. */
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
    this.maxAffected = undefined
    this.wantsInstances = wantsInstances ?? false
    this.result = undefined
    this.error = undefined
    this.endpoint = endpoint
    this.status = undefined
    this.headers = undefined
  }

  /** Who calls; undefined without a valid token. */
  get principal(): Principal | undefined {
    return this.client?.principal
  }

  /** The request, when the call came over HTTP. */
  get req(): unknown {
    return undefined
  }

  /** The response, when the call came over HTTP. */
  get res(): unknown {
    return undefined
  }

  /** The client wants to know how the answer begins, without the answer itself. */
  get isHead(): boolean {
    return false
  }

  /** True once the response answered with an error of its own: the method is not called any more. */
  get hasFailed(): boolean {
    return false
  }

  /** What the method and its hooks have as `this`: the record of an operation that runs on one, else the class of the model. */
  getScope(): object {
    return this.instance ?? this.operation.model.modelClass
  }

  /** `Product.find`, `Product.prototype.patchAttributes`. */
  get methodString(): string {
    return methodString(this.operation)
  }

  /** The method that is called, as LoopBack's scripts see it. */
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
