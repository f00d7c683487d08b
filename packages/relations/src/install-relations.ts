import type { ModelRegistry, RelationDefinition } from '@modelwire/core'
import {
  fillDefaults,
  type ModelType,
  type OnMissing,
  type Operation,
  type RelationTable,
  type ResolvedRelation
} from '@modelwire/core/plugin'
import { defineAccessor } from './accessors/define-accessor.ts'
import { defineScopeAccessor } from './accessors/define-scope-accessor.ts'
import type { AccessorStyle } from './accessors/accessor-style.ts'
import { createRelatedFilter } from './filter/create-related-filter.ts'
import { createIncludeLoader } from './include/create-include-loader.ts'
import { guardDeletions } from './integrity/deletion-guard.ts'
import { nestedOperations } from './operations/nested-operations.ts'
import { Nestings, type NestingOptions } from './operations/nestings.ts'
import { relationFunctions, type RelationFunctions } from './operations/relation-functions.ts'
import { relationOperations } from './operations/relation-operations.ts'
import { scopeOperations } from './operations/scope-operations.ts'
import { addedKinds } from './kinds/behaviour-of.ts'
import { type RelationsOptions, RelationsOptionsSchema } from './options.ts'
import { namedScopes } from './scopes/named-scope.ts'

/** How relations are installed besides their options. */
export interface Installing {
  readonly options?: RelationsOptions
  /** How helpers on records are called. */
  readonly style?: AccessorStyle
  /** Called for relations that lead to no model. Without it the error is thrown. */
  readonly onMissing?: OnMissing
}

/** Relations of one registry. */
export interface InstalledRelations {
  /** The kinds that are declared by a type of their own, by that type. */
  readonly types: RelationTable['types']
  /** Declares a relation in code. */
  readonly declare: (model: ModelType, name: string, definition: RelationDefinition) => void
  /** Declares a named scope in code. */
  readonly declareScope: (model: ModelType, name: string, scope: unknown) => void
  /**
   * Mounts the related records' relations below those of the relation.
   * @throws {InvalidRelation} the model has no such relation; before `complete` it is thrown by `complete`
   */
  readonly nest: (model: ModelType, relation: string, options?: NestingOptions) => void
  /** Resolves everything that is declared by now. */
  readonly complete: () => void
}

function serve(relation: ResolvedRelation, style: AccessorStyle, functions: RelationFunctions): void {
  defineAccessor(relation, style)
  functions.define(relationOperations(relation))
  guardDeletions(relation)
}

/** The table of relations, with the kinds that core does not know by itself. */
function openTable({ relations }: ModelRegistry, onMissing: OnMissing | undefined): RelationTable {
  if (onMissing !== undefined) relations.onMissing = onMissing
  relations.addKinds(addedKinds())
  return relations
}

/**
 * Installs relations into a registry: the include loader, operations, helpers on records, named scopes.
 * @throws {RelationTargetMissing} (`complete`) a relation leads to no model and there is no `onMissing`
 */
export function installRelations(registry: ModelRegistry, installing: Installing = {}): InstalledRelations {
  const { options = {}, style = {}, onMissing } = installing
  const limits = fillDefaults(RelationsOptionsSchema, options)
  const functions = relationFunctions(style)
  const table = openTable(registry, onMissing)
  table.follow((relation) => serve(relation, style, functions))
  const nestings = new Nestings()
  let isComplete = false
  const complete = (): void => {
    isComplete = true
    table.complete()
    nestings.check()
    for (const name of registry.names())
      for (const scope of namedScopes(registry.typeOf(name))) defineScopeAccessor(scope, style)
  }
  registry.includeLoader = createIncludeLoader(limits)
  registry.relatedFilter = createRelatedFilter(limits)
  const operationsWith = (relation: ResolvedRelation): Operation[] =>
    relationOperations(relation).map(functions.respect)
  registry.addOperationSource((model) => operationsOf(model, { operationsWith, nestings: nestings.of(model) }))
  registry.beforeSeal(complete)
  return {
    types: table.types,
    complete,
    declare: (model, name, definition) => {
      table.declare(model, name, definition)
      // Before that, the other model may not be defined yet.
      if (isComplete) complete()
    },
    declareScope: (model, name, scope) => {
      model.definition.scopes = { ...model.definition.scopes, [name]: scope }
      if (isComplete) complete()
    },
    nest: (model, relation, nesting = {}) => {
      nestings.add(model, relation, nesting)
      if (isComplete) nestings.check()
    }
  }
}

/** What the operations of a model are made of. */
interface OperationParts {
  readonly operationsWith: (relation: ResolvedRelation) => Operation[]
  readonly nestings: ReadonlyMap<string, NestingOptions>
}

function operationsOf(model: ModelType, { operationsWith, nestings }: OperationParts): Operation[] {
  const relations = [...model.registry.relations.of(model).values()]
  const nested = relations.flatMap((relation) => {
    const nesting = nestings.get(relation.name) ?? (relation.settings.nestRemoting ? {} : undefined)
    if (nesting === undefined || relation.to === undefined) return []
    const below = [...model.registry.relations.of(relation.to).values()].flatMap(operationsWith)
    return nestedOperations({ ...nesting, relation }, below)
  })
  return [...relations.flatMap(operationsWith), ...nested, ...namedScopes(model).flatMap(scopeOperations)]
}
