import type { ModelRegistry } from '@modelwire/core'
import { type Mount, methodString } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { type DocumentedRoute, documentedRoutes, isInPath, withoutAbsent, textOf } from '../api/documented-routes.ts'
import { tagName, tagsOf } from '../api/tags.ts'
import { swaggerAnswers } from './answers.ts'
import {
  createDefinitions,
  type Definitions,
  modelDefinition,
  modelOfDefinition,
  nameForCreation,
  nameWithRelations,
  type Variants,
  modelText
} from './model-definition.ts'
import { swaggerInfo, type SwaggerOptions } from './swagger-info.ts'
import type { SwaggerSchema, WrittenType } from './swagger-schema.ts'
import { type NameRecord, writtenSchema } from './written-schema.ts'
import { writtenArguments, type WrittenValue } from './written-arguments.ts'

/** The components that parameters refer to. */
interface ParameterParts {
  readonly definitions: Definitions
  readonly nameRecord: NameRecord
}

const descriptionIn = (written: WrittenType): { description?: string } =>
  withoutAbsent({ description: textOf(written['description']) })

/** A document of Swagger 2. */
export type SwaggerDocument = Record<string, unknown>

interface Parts {
  readonly registry: ModelRegistry
  readonly variants: Variants
  readonly definitions: Definitions
  readonly createdStatus: Mount['createdStatus']
}

function recordNamer({ registry, variants }: Parts): (model: string, written: WrittenType) => string {
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
    parameters: swaggerParameters(route, { definitions: parts.definitions, nameRecord: recordNamer(parts) }),
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
 * The Swagger 2 document that LoopBack 3 generates for the same models, for older client generators.
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

function placeOf(route: DocumentedRoute, { name, source }: WrittenValue): string {
  if (source === 'form') return 'formData'
  if (source !== undefined) return source
  if (isInPath(route, name)) return 'path'
  return route.verb === 'get' ? 'query' : 'formData'
}

/** LB3: an object named data is taken for a record of the model. */
function bodySchema(
  route: DocumentedRoute,
  { name, written }: WrittenValue,
  { definitions, nameRecord }: ParameterParts
): SwaggerSchema {
  const schema = writtenSchema(written, definitions, nameRecord)
  const { model } = route.operation
  return name === 'data' && schema['type'] === 'object' ? { $ref: definitions.reference(model.name) } : schema
}

/** LB3: structures are texts that hold JSON, wherever they are not a body. */
function typeOfText(schema: SwaggerSchema): SwaggerSchema {
  const { type, $ref } = schema
  return type === 'object' || type === 'array' || $ref !== undefined ? { type: 'string', format: 'JSON' } : schema
}

function toParameter(route: DocumentedRoute, value: WrittenValue, parts: ParameterParts): SwaggerSchema {
  const { name, written, required } = value
  const place = placeOf(route, value)
  const shared = { name, in: place, ...descriptionIn(written), required: place === 'path' || required }
  if (place === 'body') return { ...shared, schema: bodySchema(route, value, parts) }
  const schema = writtenSchema(written, parts.definitions, parts.nameRecord)
  return schema['type'] === 'file'
    ? { ...shared, in: 'formData', type: 'file', allowMultiple: false, description: 'File to upload' }
    : { ...shared, ...typeOfText(schema) }
}

/**
 * The parameters of an operation.
 * @see LoopBack 3: loopback-swagger, lib/specgen/route-helper.js, acceptToParameter
 */
function swaggerParameters(route: DocumentedRoute, parts: ParameterParts): SwaggerSchema[] {
  return writtenArguments(route.operation).map((value) => toParameter(route, value, parts))
}

/**
 * The ids of operations in documents: `Wine.find`, or `Wine.exists__get_Wines_{id}_exists` for each endpoint of a method
 * that has several.
 * @see recording explorer/swagger
 */
function operationIds(routes: readonly DocumentedRoute[]): ReadonlyMap<DocumentedRoute, string> {
  const uses = new Map<string, number>()
  for (const { operation } of routes) {
    const name = methodString(operation)
    uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  return new Map(
    routes.map((route) => {
      const name = methodString(route.operation)
      return [route, uses.get(name) === 1 ? name : `${name}__${route.verb}${route.path.replace(/[/:]+/g, '_')}`]
    })
  )
}
