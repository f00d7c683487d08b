import type { Grant } from '../contract/access-control.ts'
import type { Collection } from '../contract/connector.ts'
import type { Awaitable } from '@modelwire/server'
import type { ModelType } from '../contract/model-type.ts'
import type { ValueType } from '../types/property-type.ts'
import type { Effect } from './effect.ts'
import type { OperationContext } from './operation-context.ts'
import type { ModelConstructor } from '../contract/model-instance.ts'
import type { Registry } from '../contract/registry.ts'

// Models do not know operations, which are about them: what was added to a model or a registry is kept beside it.
const own = new WeakMap<ModelConstructor, Operation[]>()

const sources = new WeakMap<Registry, OperationSource[]>()

/** The operations that code defined for a model, without those of its bases. */
export const operationsOf = ({ modelClass }: ModelType): readonly Operation[] => own.get(modelClass) ?? []

/** The sources of operations for every model of a registry. */
export const operationSourcesOf = (registry: Registry): readonly OperationSource[] => sources.get(registry) ?? []

/** The access type of a call in access rules. */
export type AccessType = 'READ' | 'WRITE' | 'EXECUTE' | 'REPLICATE'

/** Where a request contains an argument. `any`: path, body field, query, header, in this order. */
export type ArgumentSource =
  | 'any'
  | 'path'
  | 'query'
  | 'form'
  | 'formData'
  | 'body'
  | 'header'
  | 'req'
  | 'res'
  | 'context'
  | 'options'

/** One parameter of an operation. */
export interface Argument {
  readonly name: string
  readonly type: ValueType | { readonly kind: 'file' }
  readonly source: ArgumentSource
  /** Computes the argument from the request; replaces `source`. */
  readonly compute?: ((context: OperationContext) => unknown) | undefined
  readonly required: boolean
  /** null and the empty string count as absent, as in LoopBack's methods. */
  readonly blankIsAbsent?: boolean | undefined
  /** The id of a record: kept as a string, since the model knows its type. */
  readonly isId?: boolean | undefined
  /** A body may also be a list of the type. */
  readonly allowArray: boolean
  /** The model whose records, or changes of them, an object contains. For documents only; it does not affect conversion. */
  readonly model?: string | undefined
  readonly default?: unknown
  readonly description?: string | undefined
  /** JSON schema for documents, if more is known than the type. */
  readonly documentedSchema?: object | undefined
}

/** One value that an operation returns. */
export interface ReturnValue {
  readonly name: string
  readonly type: ValueType | { readonly kind: 'file' } | { readonly kind: 'stream' }
  /** The value is the whole body. */
  readonly root: boolean
  readonly target?: 'status' | 'header' | undefined
  /** JSON schema of the value, if more is known than its type. */
  readonly schema?: object | undefined
  /** Header to set when the target is `header`; the name when absent. */
  readonly header?: string | undefined
  /** JSON schema for documents only: it does not affect serialization. */
  readonly documentedSchema?: object | undefined
  readonly description?: string | undefined
}

/** `ALL` stands for every verb without its own endpoint. */
export type HttpVerb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'ALL'

/** One verb and path of an operation, relative to its model's path. `:name` marks a parameter. */
export interface Endpoint {
  readonly verb: HttpVerb
  readonly path: string
}

/** The texts of LoopBack's own document for one of its methods: clients generated from it show them. */
export interface LoopbackText {
  readonly summary: string
  /** Descriptions of arguments by name. */
  readonly arguments?: Readonly<Record<string, string>> | undefined
  /** The schema of the response, if it is more specific than the type. */
  readonly answer?: Readonly<Record<string, unknown>> | undefined
}

/**
 * A method that can be called from outside: LoopBack's remote method as a plain value. `rest` makes routes from it,
 * `relations` and `users` add more of them, guards decide by its name.
 */
export interface Operation {
  readonly model: ModelType
  /** As in access rules: `find`, or `prototype.patchAttributes`. */
  readonly name: string
  readonly aliases: readonly string[]
  /** The method, such as `Book.prototype.__get__reviews`, that this one calls: hooks on exactly that name also run here. */
  readonly delegate?: string | undefined
  /** Runs on an instance, which is first loaded by the path's id. */
  readonly onInstance: boolean
  readonly accepts: readonly Argument[]
  readonly returns: readonly ReturnValue[]
  readonly endpoints: readonly Endpoint[]
  /** Status of a success; 200, or 204 without returns, when absent. */
  readonly status?: number | undefined
  /** Status of an error without its own. */
  readonly errorStatus?: number | undefined
  readonly accessType: AccessType
  readonly accessScopes?: readonly string[] | undefined
  /**
   * The response contains a secret, such as a token: it is not kept for an idempotency key. When absent, this depends on
   * `holdsSecrets` of the model.
   */
  readonly returnsSecret?: boolean | undefined
  /** Shown in API documents. */
  readonly documented: boolean
  /** False for one without routes unless `sharedMethods` names it. */
  readonly sharedByDefault?: boolean | undefined
  readonly description?: string | undefined
  readonly notes?: string | undefined
  /** The declaration in a script or model file, for documents that show more of it than is implemented. */
  readonly written?: Readonly<Record<string, unknown>> | undefined
  /** Methods of the connector that it requires. */
  readonly needs?: readonly (keyof Collection)[] | undefined
  /** Its effect. */
  readonly effect: Effect
  /** Absent for methods of the application. */
  readonly loopbackText?: LoopbackText | undefined
  /** `invoke` receives the request itself, and may read an unparsed body, such as a form with files. */
  readonly readsRequest?: boolean | undefined
  /** `invoke` runs a function of the application. */
  readonly runsApplicationCode?: boolean | undefined
  /**
   * Determines what the client may see or change of the call's records, if they belong to another model than the route's.
   * Called after the guards, which store the grant for the route's own record in `context.grant`.
   */
  readonly findGrant?: ((context: OperationContext) => Awaitable<Grant>) | undefined
  /** Executes the call. With several `returns` it returns a list of values, in their order. */
  readonly invoke: (context: OperationContext) => unknown
  /** True if the finished call found nothing, so that the response is 404. Called after the remote hooks. */
  readonly foundNothing?: ((context: OperationContext) => boolean) | undefined
  /** Loads the instance of an instance operation; undefined if it does not exist. */
  readonly loadInstance?: ((context: OperationContext) => Promise<object | undefined>) | undefined
  /**
   * For an instance operation: like `invoke`, with `context.id`, for calls in which nothing else needs the instance, which
   * then is not loaded. Undefined if it does not exist.
   */
  readonly invokeById?: ((context: OperationContext) => unknown) | undefined
}

/** Decides whether a call may proceed; throws if it may not. Returns no promise unless it must wait for something. */
export interface Guard {
  (context: OperationContext): void | Promise<void>
  /** It never reads `context.instance`, which then need not be loaded for it. */
  readonly ignoresInstance?: boolean
  /**
   * Whether no code of the application gets the call from it. Arguments that calls share are frozen: without this, every call
   * has its own, which the guard may change.
   */
  readonly ignoresArguments?: () => boolean
  /** It only runs for calls with a principal; others cost nothing. */
  readonly onlyForCallers?: boolean
  /** Whether calls without a principal may currently skip it. */
  readonly isOpen?: () => boolean
  /**
   * The decision for every caller according to the application's files: stored rules may differ. Absent: it depends on the
   * caller.
   */
  readonly answerToAll?: boolean | undefined
}

/** Checks that the caller of a long call is still authenticated: throws, or rejects, if the token has since ended. */
export type CallerCheck = (context: OperationContext) => Awaitable<void>

/** Returns the guard of one operation; undefined if it is open to all, which then costs nothing. */
export type GuardSource = (operation: Operation) => Guard | undefined

/** Adds operations to a model when routes are mounted. */
export type OperationSource = (model: ModelType) => readonly Operation[]

/** `Product.find`, `Product.prototype.patchAttributes`. */
export function methodString(operation: Operation): string {
  return `${operation.model.name}.${operation.name}`
}

/** Adds an operation to a model and those that extend it. */
export function addOperation(operation: Operation): void {
  const { modelClass } = operation.model
  own.set(modelClass, [...operationsOf(operation.model), operation])
}

/** Lets `source` add operations to every model of a registry. */
export function addOperationSource(registry: Registry, source: OperationSource): void {
  sources.set(registry, [...operationSourcesOf(registry), source])
}
