import type { ModelRegistry } from '@modelwire/core'
import type { ModelType, Mount } from '@modelwire/core/plugin'
import { type DocumentedRoute, documentedRoutes } from '../api/documented-routes.ts'
import { operationIds } from '../api/operation-ids.ts'
import { tagName, tagsOf } from '../api/tags.ts'
import { withoutAbsent } from '../api/text-of.ts'
import { swaggerAnswers } from './answers.ts'
import { createDefinitions, type Definitions } from './definitions.ts'
import { modelText } from './loopback-model-texts.ts'
import {
  modelDefinition,
  modelOfDefinition,
  nameForCreation,
  nameWithRelations,
  type Variants
} from './model-definition.ts'
import { swaggerParameters } from './parameters.ts'
import { swaggerInfo, type SwaggerOptions } from './swagger-info.ts'
import type { SwaggerSchema, WrittenType } from './swagger-schema.ts'

/** A document of Swagger 2. */
export type SwaggerDocument = Record<string, unknown>

interface Parts {
  readonly registry: ModelRegistry
  readonly variants: Variants
  readonly definitions: Definitions
  readonly createdStatus: Mount['createdStatus']
}

function nameRecord({ registry, variants }: Parts): (model: string, written: WrittenType) => string {
  return (model, { createOnlyInstance }) => {
    const created = createOnlyInstance === true ? nameForCreation(registry.find(model), model, variants) : model
    return created === model && registry.find(model) !== undefined ? nameWithRelations(model, variants) : created
  }
}

function summaryOf(route: DocumentedRoute): string | undefined {
  return route.operation.loopbackText?.summary ?? route.operation.description
}

function toEntry(route: DocumentedRoute, operationId: string | undefined, parts: Parts): SwaggerSchema {
  const { operation } = route
  return {
    tags: [tagName(operation.model)],
    ...withoutAbsent({ summary: summaryOf(route), description: operation.notes, operationId }),
    parameters: swaggerParameters(route, { definitions: parts.definitions, nameRecord: nameRecord(parts) }),
    responses: swaggerAnswers(operation, parts),
    // LB3: the method's own setting is ignored.
    deprecated: false
  }
}

function pathsOf(routes: readonly DocumentedRoute[], parts: Parts): Record<string, Record<string, SwaggerSchema>> {
  const ids = operationIds(routes)
  const paths: Record<string, Record<string, SwaggerSchema>> = {}
  for (const route of routes) {
    const entries = (paths[route.path] ??= {})
    entries[route.verb] = toEntry(route, ids.get(route), parts)
  }
  return paths
}

function definitionsOf(registry: ModelRegistry, variants: Variants): Definitions {
  const find = (name: string): ModelType | undefined => registry.find(name)
  return createDefinitions((name, definitions) => {
    const found = modelOfDefinition(find, name, variants)
    return found === undefined ? undefined : () => modelDefinition(found.model, found.variant, definitions)
  })
}

/**
 * The document of Swagger 2 that LoopBack 3 gives for the same models: what older generators of clients read.
 * @see recordings explorer/swagger; LoopBack 3: loopback-swagger, lib/specgen/swagger-spec-generator.js
 */
export function swaggerDocument(registry: ModelRegistry, mount: Mount, options: SwaggerOptions = {}): SwaggerDocument {
  const variants = {
    forCreation: options.generateOperationScopedModels === true,
    withRelations: options.generateRelationProperties === true
  }
  const definitions = definitionsOf(registry, variants)
  const routes = documentedRoutes(mount, options.modelOrder)
  const paths = pathsOf(routes, { registry, variants, definitions, createdStatus: mount.createdStatus })
  const { models, ...info } = swaggerInfo(mount, options)
  return {
    ...info,
    paths,
    tags: tagsOf(routes, modelText),
    definitions: { ...models, ...definitions.collect() }
  }
}
