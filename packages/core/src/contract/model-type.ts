import type { Collection } from './connector.ts'
import type { DataSource } from './data-source.ts'
import type { ResolvedDefinition } from '../definition/inherit-definition.ts'
import type { HookTable } from '../hooks/hook-table.ts'
import type { MethodTable } from '../definition/method-table.ts'
import type { ModelCheck } from '../rules/model-checks.ts'
import type { Rule } from '../rules/rule.ts'
import type { PropertyPlan, PropertyType } from '../types/property-type.ts'
import type { Registry } from './registry.ts'
import type { ModelConstructor } from './model-instance.ts'
import type { Call } from './call.ts'
import type { Row } from './row.ts'
import type { ResolvedRelation } from './relation.ts'

/** Checks or actions that are required when records of a model are deleted. Added by `relations` if a relation requires it. */
export interface DeletionGuard {
  /**
   * Checks, without changing anything.
   * @throws whatever forbids the deletion
   */
  readonly check: (rows: readonly Row[], call: Call) => Promise<void>
  /** Handles what depends on the records, which are deleted afterwards. */
  readonly apply: (rows: readonly Row[], call: Call) => Promise<void>
}

/** How records of a model are protected against overwriting changes that their writers have not seen. */
export interface OptimisticLocking {
  /** The property with the version: a string that every write renews. */
  readonly property: string
  /** Clients must name the version that they change. */
  readonly requireIfMatch: boolean
}

/** Everything known about a model before the first request: the compiled form of its definition. */
export interface ModelType {
  readonly name: string
  /** The last segment of its REST path unless `httpPath` says otherwise. */
  readonly plural: string
  readonly httpPath: string
  readonly base: ModelType | undefined
  /** The file of the definition, for messages. */
  readonly file: string | undefined
  /** The definition with the base's parts merged in. */
  readonly definition: ResolvedDefinition
  /** Has data access over REST: it extends PersistedModel. */
  readonly persisted: boolean
  readonly registry: Registry
  /** Declared order: own properties, then inherited ones, an injected id last. */
  properties: readonly PropertyType[]
  byName: ReadonlyMap<string, PropertyType>
  /** The names of the models whose records, or lists of them, are embedded in properties. */
  embedded: ReadonlyMap<string, string>
  /** How instances are filled, one step per property. */
  plan: readonly PropertyPlan[]
  /** The steps that add defaults missing in an older record when it is read. */
  readDefaults: readonly PropertyPlan[]
  /** Properties whose strings may contain JSON, which is parsed. */
  readTexts: readonly string[]
  /** The properties that identify a record, in the order of its id: one of most models, none without an id. */
  key: readonly PropertyType[]
  /** Their names. */
  keyNames: readonly string[]
  /**
   * Undefined for a model without an id. Where several properties identify a record, it is none of them, but stands for
   * all in conditions; records have no value of its name.
   */
  idProperty: PropertyType | undefined
  /** Undefined: records have no version. */
  readonly optimisticLocking: OptimisticLocking | undefined
  /** The database logs the changes of records, for all processes. */
  readonly logsChanges: boolean
  /** Never sent to clients, never allowed in filters. */
  readonly hidden: Set<string>
  /** Only sent at the top level of a response. */
  readonly protected: Set<string>
  /** Undeclared properties are never stored: they are refused with 422, or dropped. */
  readonly strict: boolean
  /** Undeclared properties are silently dropped (`strict: "filter"`). */
  readonly dropsUndeclared: boolean
  /** Clients may not choose ids. */
  forceId: boolean
  readonly persistUndefinedAsNull: boolean
  /** Filters of mixins that narrow every query, like the definition's `scope`. */
  readonly queryScopes: Record<string, unknown>[]
  /** The relations of the model by name, complete once the registry is sealed. Records store nothing under their names. */
  readonly relations: Map<string, ResolvedRelation>
  /** Guards to apply when records are deleted. */
  readonly deletionGuards: DeletionGuard[]
  /** Validation rules, the base's first. */
  readonly rules: Rule[]
  /** Rules across properties, which databases check as well. */
  checks: readonly ModelCheck[]
  readonly hooks: HookTable
  readonly methods: MethodTable
  /** The class that applications use. */
  readonly modelClass: ModelConstructor
  dataSource: DataSource | undefined
  collection: Collection | undefined
}
