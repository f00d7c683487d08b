import type { Collection } from './connector.ts'
import type { DataSource } from './data-source.ts'
import type { ResolvedDefinition } from '../definition/inherit-definition.ts'
import type { HookTable } from '../hooks/hook-table.ts'
import type { MethodTable } from '../definition/method-table.ts'
import type { Rule } from '../rules/rule.ts'
import type { PropertyPlan } from '../types/property-plan.ts'
import type { PropertyType } from '../types/property-type.ts'
import type { Registry } from './registry.ts'
import type { ModelConstructor } from './model-instance.ts'
import type { Call } from './call.ts'
import type { Row } from './row.ts'
import type { ResolvedRelation } from './resolved-relation.ts'

/**
 * What has to be checked or done when records of a model are deleted. `relations` adds it where a relation requires it.
 */
export interface DeletionGuard {
  /** Changes nothing. @throws whatever forbids the deletion */
  readonly check: (rows: readonly Row[], call: Call) => Promise<void>
  /** Sees to what depends on the records, which are deleted afterwards. */
  readonly apply: (rows: readonly Row[], call: Call) => Promise<void>
}

/** How records of a model are protected from overwriting changes that their writers have not seen. */
export interface OptimisticLocking {
  /** The property that holds the version: a text that every write renews. */
  readonly property: string
  /** Clients have to state the version that they change. */
  readonly requireIfMatch: boolean
}

/** Everything that is known of a model before the first request: the compiled form of its definition. */
export interface ModelType {
  readonly name: string
  /** The last segment of its REST path unless `httpPath` says otherwise. */
  readonly plural: string
  readonly httpPath: string
  readonly base: ModelType | undefined
  /** The file that holds the definition, for messages. */
  readonly file: string | undefined
  /** The definition with the base's parts merged in. */
  readonly definition: ResolvedDefinition
  /** Has data access over REST: descends from PersistedModel. */
  readonly persisted: boolean
  readonly registry: Registry
  /** Declared order: own properties, then inherited ones, an injected id last. */
  properties: readonly PropertyType[]
  byName: ReadonlyMap<string, PropertyType>
  /** The names of the models whose records, or lists of them, lie in properties. */
  embedded: ReadonlyMap<string, string>
  /** How instances are filled, one step per property. */
  plan: readonly PropertyPlan[]
  /** The steps that fill what an older record lacks when it is read. */
  readDefaults: readonly PropertyPlan[]
  /** Properties whose texts are read as the JSON that they may hold. */
  readTexts: readonly string[]
  /** Undefined for a model without identity. */
  idProperty: PropertyType | undefined
  /** Undefined: records have no version. */
  readonly optimisticLocking: OptimisticLocking | undefined
  /** The database logs the changes of records, for all processes. */
  readonly logsChanges: boolean
  /** Never sent to clients, never usable in filters. */
  readonly hidden: Set<string>
  /** Sent only at the top level of an answer. */
  readonly protected: Set<string>
  /** Undeclared properties are never stored: they are refused with 422, or dropped. */
  readonly strict: boolean
  /** Undeclared properties are left out in silence (`strict: "filter"`). */
  readonly dropsUndeclared: boolean
  /** Clients may not choose ids. */
  forceId: boolean
  readonly persistUndefinedAsNull: boolean
  /** Filters of mixins that narrow every query, as the definition's `scope` does. */
  readonly queryScopes: Record<string, unknown>[]
  /** The relations of the model by name, complete once the registry is sealed. No record stores anything under their names. */
  readonly relations: Map<string, ResolvedRelation>
  /** What has to be seen to when records are deleted. */
  readonly deletionGuards: DeletionGuard[]
  /** Validation rules, the base's first. */
  readonly rules: Rule[]
  readonly hooks: HookTable
  readonly methods: MethodTable
  /** The class that applications hold. */
  readonly modelClass: ModelConstructor
  dataSource: DataSource | undefined
  collection: Collection | undefined
}
