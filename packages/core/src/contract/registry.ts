import type { ModelDefinition } from '../definition/model-definition.ts'
import type { ChangeFeedLimits } from '../limits/limits.ts'
import type { ProtocolVersion, Rules } from '../rules.ts'
import type { SharedState } from '@modelwire/server'
import type { AccessControl } from './access-control.ts'
import type { ActionHooks } from './action-hooks.ts'
import type { ChangeBus, ChangeLog } from './change-log.ts'
import type { ModelFunction, DataSource } from './data-source.ts'
import type { ModelConstructor } from './model-instance.ts'
import type { ModelType } from './model-type.ts'
import type { Relations, IncludeLoader, RelatedFilter } from './relation.ts'

/** The facts of an operation that decide how its function is called. */
export interface CalledMethod {
  readonly name: string
  readonly returns: readonly { readonly root: boolean }[]
}

/** Calls a method of a model on behalf of a client. `boot` replaces it to support callback-style functions. */
export type CallMethod = (
  method: (...args: unknown[]) => unknown,
  self: unknown,
  args: readonly unknown[],
  operation: CalledMethod
) => unknown

/** Wraps a method that returns a promise for calls from application code. `boot` lets it take a callback. */
export type OfferMethod = (method: ModelFunction) => ModelFunction

/** Ends the sessions of a model's users in a package's own store. */
export type EndSessions = (model: ModelType, userIds: readonly unknown[]) => Promise<void>

/** The registry of an application, as its models see it. `ModelRegistry` is the class; it adds what operations require. */
export interface Registry {
  readonly version: ProtocolVersion
  readonly rules: Rules
  readonly callMethod: CallMethod
  readonly offerMethod: OfferMethod
  /** The class that all models extend. */
  readonly rootClass: ModelConstructor
  /** Names of the models whose records, like those of models that extend them, control access. */
  readonly accessModels: ReadonlySet<string>
  /** Other stores of users' tokens: called to revoke those of users whose password changed. */
  readonly sessionEnds: readonly EndSessions[]
  /** Called for properties whose type is neither built in nor a model; absent: they are refused. */
  readonly onUnknownType: ((type: string, model: string, property: string) => void) | undefined
  readonly changes: ChangeBus
  /** The state shared by the application's processes. */
  readonly shared: SharedState
  /** The change logs by data source; changes of other data sources are only received within the process. */
  readonly changeLogs: ReadonlyMap<string, ChangeLog>
  /** Limits of what is kept for readers of change streams. */
  readonly changeStreams: ChangeFeedLimits
  readonly relations: Relations
  readonly dataSources: ReadonlyMap<string, DataSource>
  /** Routes are mounted: models and operations can no longer change. */
  readonly sealed: boolean
  /** Some model has an observer, so that calls carry their caller. */
  observed: boolean
  /** Models that replace built-in ones, by the name of these: a cache of `modelByType` once routes are mounted. */
  readonly builtIns: Map<string, ModelType | undefined>
  /** Reads related records; undefined until `relations` installs one. */
  readonly includeLoader: IncludeLoader | undefined
  /** Filters by related records; undefined until `relations` installs one. */
  readonly relatedFilter: RelatedFilter | undefined
  /** Decides what clients may see and change; undefined until `acl` installs it: they may do everything. */
  readonly accessControl: AccessControl | undefined
  /** Functions around actions on records; undefined until `boot` installs them for scripts. */
  readonly actionHooks: ActionHooks | undefined
  /** The compiled model, or undefined. */
  find(name: string): ModelType | undefined
  /** The latest model with this name, or undefined. */
  latest(name: string): ModelType | undefined
  /** The compiled model. @throws {UnknownModel} */
  typeOf(name: string): ModelType
  /** Names of all models except the built-in bases, in the order of their definition. */
  names(): string[]
  /**
   * Runs `work`, and all operations that it calls, in one transaction of a data source; retried from its start on a
   * conflict.
   */
  transaction<Result>(work: () => Promise<Result>, options: { readonly dataSource: string }): Promise<Result>
  /** Defines a model. @throws {DefinitionError} the definition is invalid; the subclass names the reason */
  define(definition: ModelDefinition): unknown
  /** Adds a property to a model after its definition, as mixins do. */
  defineProperty(model: string | ModelType, property: string, definition: unknown): void
  /**
   * Sets the data source of a model; null leaves it without one.
   * @throws {UnknownDataSource} there is none of this name
   */
  attach(model: string | ModelType, dataSourceName: string | null): void
}
