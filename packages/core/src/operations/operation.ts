import type { Grant } from '../contract/access-control.ts'
import type { Collection } from '../contract/connector.ts'
import type { Awaitable } from '../values/awaitable.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { ValueType } from '../types/value-type.ts'
import type { Effect } from './effect.ts'
import type { OperationContext } from './operation-context.ts'

/** What a call does, in the words of access rules. */
export type AccessType = 'READ' | 'WRITE' | 'EXECUTE' | 'REPLICATE'

/** Where a request carries an argument. `any`: path, body field, query, header, in this order. */
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
  /** null and the empty text count as absent, as in LoopBack's methods. */
  readonly blankIsAbsent?: boolean | undefined
  /** The id of a record: kept as text, since the model knows its type. */
  readonly isId?: boolean | undefined
  /** A body may also be a list of the type. */
  readonly allowArray: boolean
  /** The model whose records, or changes of them, an object holds. For documents only; nothing is converted by it. */
  readonly model?: string | undefined
  readonly default?: unknown
  readonly description?: string | undefined
  /** JSON schema for documents, where more is known than the type. */
  readonly documentedSchema?: object | undefined
}

/** One value that an operation returns. */
export interface ReturnValue {
  readonly name: string
  readonly type: ValueType | { readonly kind: 'file' } | { readonly kind: 'stream' }
  /** The value is the whole body. */
  readonly root: boolean
  readonly target?: 'status' | 'header' | undefined
  /** JSON schema of the value, where more is known than its type. */
  readonly schema?: object | undefined
  /** Header to set when the target is `header`; the name when absent. */
  readonly header?: string | undefined
  /** JSON schema for documents alone: values are not written by it. */
  readonly documentedSchema?: object | undefined
  readonly description?: string | undefined
}

/** `ALL` stands for every verb that has no endpoint of its own. */
export type HttpVerb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'ALL'

/** One verb and path of an operation, relative to its model's path. `:name` marks a parameter. */
export interface Endpoint {
  readonly verb: HttpVerb
  readonly path: string
}

/**
 * The texts of LoopBack's own document about one of its methods: clients that were generated from it show these texts.
 */
export interface LoopbackText {
  readonly summary: string
  /** Descriptions of arguments by name. */
  readonly arguments?: Readonly<Record<string, string>> | undefined
  /** The schema of the answer, where it is more specific than the type. */
  readonly answer?: Readonly<Record<string, unknown>> | undefined
}

/**
 * A method that can be called from outside: LoopBack's remote method as a plain value. `rest` makes routes of it,
 * `relations` and `users` add more of them, guards decide by its name.
 */
export interface Operation {
  readonly model: ModelType
  /** As in access rules: `find`, or `prototype.patchAttributes`. */
  readonly name: string
  readonly aliases: readonly string[]
  /** The method, such as `Book.prototype.__get__reviews`, that this one calls: hooks on exactly that name run here, too. */
  readonly delegate?: string | undefined
  /** Runs on an instance, which is loaded from the path's id first. */
  readonly onInstance: boolean
  readonly accepts: readonly Argument[]
  readonly returns: readonly ReturnValue[]
  readonly endpoints: readonly Endpoint[]
  /** Status of a success; 200, or 204 without returns, when absent. */
  readonly status?: number | undefined
  /** Status of an error that has none of its own. */
  readonly errorStatus?: number | undefined
  readonly accessType: AccessType
  readonly accessScopes?: readonly string[] | undefined
  /**
   * The answer holds a secret, such as a token: it is not kept for an idempotency key. When absent, that of an operation on a model
   * which `holdsSecrets` does.
   */
  readonly returnsSecret?: boolean | undefined
  /** Shown in API documents. */
  readonly documented: boolean
  /** False for one that has no routes until `sharedMethods` names it. */
  readonly sharedByDefault?: boolean | undefined
  readonly description?: string | undefined
  readonly notes?: string | undefined
  /** The words of a script or model file that declared it, for documents that show more of them than is carried out. */
  readonly written?: Readonly<Record<string, unknown>> | undefined
  /** Methods of the connector without which it cannot be offered. */
  readonly needs?: readonly (keyof Collection)[] | undefined
  /** What it does. */
  readonly effect: Effect
  /** Absent for methods of the application. */
  readonly loopbackText?: LoopbackText | undefined
  /** `invoke` receives the request itself, and may read a body that is not parsed before, such as a form with files. */
  readonly readsRequest?: boolean | undefined
  /** `invoke` runs a function of the application. */
  readonly runsApplicationCode?: boolean | undefined
  /**
   * Finds out what the client may see or change of the records that the call is about, where these are of another model
   * than the one of the route. Called after the guards, which store the grant for the route's own record in
   * `context.grant`.
   */
  readonly findGrant?: ((context: OperationContext) => Awaitable<Grant>) | undefined
  /** Carries out the call. With several `returns` the values come as a list in their order. */
  readonly invoke: (context: OperationContext) => unknown
  /** True when the finished call found nothing and is answered 404. Called after the remote hooks. */
  readonly foundNothing?: ((context: OperationContext) => boolean) | undefined
  /** Loads the instance of an operation that runs on one; undefined when there is none. */
  readonly loadInstance?: ((context: OperationContext) => Promise<object | undefined>) | undefined
  /**
   * For an operation on an instance: like `invoke`, by `context.id`, for calls in which nothing else needs the
   * instance, which then is not loaded. Undefined when there is none.
   */
  readonly invokeById?: ((context: OperationContext) => unknown) | undefined
}

/** Decides whether a call may go on; throws when it may not. One that has nothing to wait for gives no promise. */
export interface Guard {
  (context: OperationContext): void | Promise<void>
  /** It never looks at `context.instance`, which then need not be loaded for it. */
  readonly ignoresInstance?: boolean
  /** It only runs for calls with a principal; others cost nothing. */
  readonly onlyForCallers?: boolean
  /** Whether calls without a principal may skip it at the moment. */
  readonly isOpen?: () => boolean
  /** What it answers every caller by the rules of the application's files: stored ones may differ. Absent: it depends on who calls. */
  readonly answerToAll?: boolean | undefined
}

/** Checks that the caller of a long call is still authenticated: throws, or rejects, when the token has ended since. */
export type CallerCheck = (context: OperationContext) => Awaitable<void>

/** The guard of one operation; undefined where it is open to all, which then costs nothing. */
export type GuardSource = (operation: Operation) => Guard | undefined

/** Adds operations to a model when routes are mounted. */
export type OperationSource = (model: ModelType) => readonly Operation[]

/** `Product.find`, `Product.prototype.patchAttributes`. */
export function methodString(operation: Operation): string {
  return `${operation.model.name}.${operation.name}`
}
