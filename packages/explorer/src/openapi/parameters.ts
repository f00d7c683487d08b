import { plainSchema } from '@modelwire/rest'
import { type Argument, type ModelType, type Operation, takesIdempotencyKey } from '@modelwire/core/plugin'
import { type DocumentedRoute, isInPath } from '../api/documented-routes.ts'
import { textOf, withoutAbsent } from '../api/text-of.ts'
import { objectsIn } from '../swagger/written-arguments.ts'
import type { AnswerParts } from './answer-parts.ts'
import { conditionalParts } from './conditional.ts'
import { preferenceParts } from './preferences.ts'
import { filterReference, selectionReference, whereReference } from './filter-schemas.ts'
import type { Schema } from './openapi-types.ts'
import { type SchemaParts, soundKeywords, valueSchema } from './type-schema.ts'

/** An argument that clients give. */
export interface ShownArgument {
  readonly argument: Argument
  /** The argument as a script or file declares it. */
  readonly written: Readonly<Record<string, unknown>>
}

const worksItOut = new Set<Argument['source']>(['req', 'res', 'context', 'options'])

/** The arguments of an operation that clients give. */
export function shownArguments({ accepts, written }: Operation): ShownArgument[] {
  const words = written === undefined ? [] : objectsIn(written['accepts'])
  return accepts
    .map((argument, index) => ({ argument, written: words[index] ?? {} }))
    .filter(({ argument, written: own }) => {
      const isSentByClients = !worksItOut.has(argument.source) && argument.compute === undefined
      return isSentByClients && own['documented'] !== false
    })
}

/** Where a request carries an argument: in the body by default, unless it has none. */
export function placeOf(route: DocumentedRoute, { name, source, type }: Argument): string {
  if ((source === 'path' || source === 'any') && isInPath(route, name)) return 'path'
  if (type.kind === 'file') return 'form'
  if (source === 'any') return route.verb === 'get' || route.verb === 'head' ? 'query' : 'form'
  return source === 'formData' ? 'form' : source
}

/** Ids of other models may be of any type. */
function idSchema(operation: Operation, name: string, parts: SchemaParts): Schema {
  const { idProperty } = operation.model
  if (name !== 'id' || idProperty === undefined) return { type: ['string', 'number'] }
  return valueSchema(idProperty.type, parts)
}

/** The model whose records an operation reads. */
function modelRead({ model, effect }: Operation): ModelType | undefined {
  return effect.relation === undefined ? model : effect.relation.to
}

function schemaOfArgument(operation: Operation, { name }: Argument, parts: SchemaParts): Schema | undefined {
  const model = operation.written === undefined ? modelRead(operation) : undefined
  if (model === undefined || model.properties.length === 0) return undefined
  if (name === 'where') return whereReference(model, parts)
  if (name !== 'filter') return undefined
  return operation.effect.subject === 'record' ? selectionReference(model, parts) : filterReference(model, parts)
}

/** The schema of an argument outside of a body. */
export function argumentSchema(operation: Operation, { argument, written }: ShownArgument, parts: SchemaParts): Schema {
  if (argument.isId === true) return idSchema(operation, argument.name, parts)
  if (argument.documentedSchema !== undefined) return plainSchema(argument.documentedSchema)
  const schema = schemaOfArgument(operation, argument, parts)
  if (schema !== undefined) return schema
  const { description: _text, ...keywords } = soundKeywords(written)
  const preset = argument.default === undefined ? {} : { default: argument.default }
  return plainSchema({ ...valueSchema(argument.type, parts), ...preset, ...keywords })
}

/** Structures are texts that hold JSON, wherever they are not a body. */
function isStructure(schema: Schema): boolean {
  if (schema['$ref'] !== undefined || schema['type'] === 'object') return true
  const { items } = schema
  const isSimpleList = typeof items === 'object' && items !== null && 'type' in items && items.type !== 'object'
  return schema['type'] === 'array' && !(isSimpleList && items.type !== 'array')
}

/** What a page fills in: an example made of the schema would request everything at once. */
function exampleOf(operation: Operation, { argument: { name }, written }: ShownArgument): { example?: object } {
  if (Object.keys(written).length > 0) return {}
  if (name === 'filter') return { example: operation.effect.subject === 'record' ? {} : { limit: 10 } }
  return name === 'where' ? { example: {} } : {}
}

function toParameter(route: DocumentedRoute, shown: ShownArgument, parts: SchemaParts): object {
  const { argument } = shown
  const place = placeOf(route, argument)
  const schema = argumentSchema(route.operation, shown, parts)
  const description = textOf(argument.description) ?? textOf(shown.written['description'])
  return {
    name: argument.name,
    in: place,
    ...withoutAbsent({ description }),
    required: place === 'path' || argument.required,
    ...(isStructure(schema)
      ? { content: { 'application/json': { schema, ...exampleOf(route.operation, shown) } } }
      : { schema })
  }
}

const isOutsideOfBody = (place: string): boolean => place === 'path' || place === 'query' || place === 'header'

const namesInPath = ({ path }: DocumentedRoute): string[] =>
  Array.from(path.matchAll(/\{([^}?]+)\??\}/g), ([, name = '']) => name)

/** Parts of the path that no argument reads; the id of the record among them. */
function unreadParameters(route: DocumentedRoute, read: ReadonlySet<string>, parts: SchemaParts): object[] {
  const { operation } = route
  return namesInPath(route)
    .filter((name) => !read.has(name))
    .map((name) => {
      const isId = name === 'id' && operation.onInstance
      const schema = isId ? idSchema(operation, 'id', parts) : { type: 'string' }
      return {
        name,
        in: 'path',
        ...(isId ? { description: `Id of the ${operation.model.name}` } : {}),
        required: true,
        schema
      }
    })
}

/** The header by which a request is carried out once. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the client: a request with the same key again gets the same answer, and is not carried out again',
  schema: { type: 'string', maxLength: 255 }
}

/** The parameters of an operation: everything that clients give outside of the body. */
export function openApiParameters(route: DocumentedRoute, parts: AnswerParts): object[] {
  const placed = shownArguments(route.operation).map((shown) => ({ shown, place: placeOf(route, shown.argument) }))
  const own = placed.filter(({ place }) => isOutsideOfBody(place)).map(({ shown }) => shown)
  const read = new Set(placed.filter(({ place }) => place === 'path').map(({ shown }) => shown.argument.name))
  return [
    ...unreadParameters(route, read, parts),
    ...own.map((shown) => toParameter(route, shown, parts)),
    ...conditionalParts(route.operation, parts.listTags).parameters,
    ...preferenceParts(route.operation).parameters,
    ...(parts.idempotencyKeys && takesIdempotencyKey(route) ? [idempotencyKey] : [])
  ]
}
