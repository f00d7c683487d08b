import type { ModelRegistry, RelationDefinition } from '@modelwire/core'
import type { Operation, ResolvedRelation, RelationTargetMissing } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { fillDefaults } from '@modelwire/server'
import { defineAccessor, defineScopeAccessor } from './accessors/typed-accessors.ts'
import type { AccessorStyle } from './accessors/relation-accessors.ts'
import { createRelatedFilter } from './queries/create-related-filter.ts'
import { createIncludeLoader } from './queries/create-include-loader.ts'
import { guardDeletions } from './integrity/deletion-guard.ts'
import { nestedOperations, Nestings, type NestingOptions } from './operations/nested-operations.ts'
import { relationFunctions, type RelationFunctions, relationOperations } from './operations/relation-operations.ts'
import { scopeOperations } from './operations/scope-operations.ts'
import { addedKinds } from './kinds/behaviour-of.ts'
import { type RelationsOptions, RelationsOptionsSchema } from './options.ts'
import { namedScopes } from './scopes/named-scope.ts'

/** How relations are installed, in addition to their options. */
export interface Installing {
  readonly options?: RelationsOptions
  /** How accessors on records are called. */
  readonly style?: AccessorStyle
  /** Called for relations without a target model. By default the error is thrown. */
  readonly onMissing?: (error: RelationTargetMissing) => void
}

/** Relations of one registry. */
export interface InstalledRelations {
  /** The kinds with their own type in definitions, by that type. */
  readonly types: ModelRegistry['relations']['types']
  /** Declares a relation in code. */
  readonly declare: (model: ModelType, name: string, definition: RelationDefinition) => void
  /** Declares a named scope in code. */
  readonly declareScope: (model: ModelType, name: string, scope: unknown) => void
  /**
   * Mounts the related records' relations below those of the relation.
   * @throws {InvalidRelation} the model has no such relation; before `complete` it is thrown by `complete`
   */
  readonly nest: (model: ModelType, relation: string, options?: NestingOptions) => void
  /** Resolves everything that has been declared so far. */
  readonly complete: () => void
}

function serve(relation: ResolvedRelation, style: AccessorStyle, functions: RelationFunctions): void {
  defineAccessor(relation, style)
  functions.define(relationOperations(relation))
  guardDeletions(relation)
}

/** The table of relations, with the kinds that core does not know by itself. */
function openTable({ relations }: ModelRegistry, onMissing: Installing['onMissing']): ModelRegistry['relations'] {
  if (onMissing !== undefined) relations.onMissing = onMissing
  relations.addKinds(addedKinds())
  return relations
}

/**
 * Installs relations into a registry: the include loader, operations, accessors on records, named scopes.
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

/** The dependencies of a model's operations. */
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
