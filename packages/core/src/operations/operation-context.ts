import { type Endpoint, methodString, type Operation, type Principal } from './operation.ts'

/** What a call starts with. */
export interface OperationInput {
  readonly args?: Record<string, unknown>
  readonly options?: Record<string, unknown>
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
  readonly sharedClass: { readonly name: string; readonly ctor: unknown }
}

/** One call of an operation. Remote hooks and guards read and change it. */
export class OperationContext {
  readonly operation: Operation
  /** Arguments by name. */
  args: Record<string, unknown>
  /** Handed to data access, so that operation hooks know the caller. */
  options: Record<string, unknown>
  /** The id in the path of an operation that runs on a record, as text. */
  id: string | undefined
  /** The record of an operation that runs on one. */
  instance: object | undefined
  /** Remote hooks want to see records as instances, not as stored rows. */
  wantsInstances: boolean
  result: unknown
  error: unknown
  principal: Principal | undefined
  /** Which of the operation's endpoints was called. */
  endpoint: Endpoint | undefined
  /** Set by a returned value with the target `status`. */
  status: number | undefined
  /** Set by returned values with the target `header`. */
  headers: Record<string, string> | undefined

  constructor(operation: Operation, { args, options, id, endpoint, wantsInstances }: OperationInput = {}) {
    this.operation = operation
    this.args = args ?? {}
    this.options = options ?? {}
    this.id = id
    this.instance = undefined
    this.wantsInstances = wantsInstances ?? false
    this.result = undefined
    this.error = undefined
    this.principal = undefined
    this.endpoint = endpoint
    this.status = undefined
    this.headers = undefined
  }

  /** The request, when the call came over HTTP. */
  get req(): unknown {
    return undefined
  }

  /** The response, when the call came over HTTP. */
  get res(): unknown {
    return undefined
  }

  /** `Product.find`, `Product.prototype.patchAttributes`. */
  get methodString(): string {
    return methodString(this.operation)
  }

  /** The method that is called, as LoopBack's scripts see it. */
  get method(): MethodView {
    const { name, onInstance, accessType, aliases, accepts, returns, model } = this.operation
    return {
      name: onInstance ? name.slice('prototype.'.length) : name,
      stringName: this.methodString,
      isStatic: !onInstance,
      accessType,
      aliases,
      accepts,
      returns,
      sharedClass: { name: model.name, ctor: model.modelClass }
    }
  }
}
