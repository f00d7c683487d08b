import { plainSchema, takesIdempotencyKey } from '@modelwire/rest'
import { type Argument, identifiedModel, type Operation } from '@modelwire/core/plugin'
import { isComposite, type ModelType } from '@modelwire/core/connector'
import { type DocumentedRoute, isInPath, textOf, withoutAbsent } from '../api/documented-routes.ts'
import { objectsIn } from '../swagger/written-arguments.ts'
import type { AnswerParts } from './error-answers.ts'
import { referredName } from './components.ts'
import { conditionalParts, preferenceParts } from './conditional.ts'
import { filterReference, selectionReference, whereReference } from './filter-schemas.ts'
import type { Schema } from './openapi-types.ts'
import { propertySchema, type SchemaParts, schemaKeywords, valueSchema } from './type-schema.ts'

/** An argument that clients can set. */
export interface ShownArgument {
  readonly argument: Argument
  /** The argument as declared in a script or file. */
  readonly written: Readonly<Record<string, unknown>>
}

const worksItOut = new Set<Argument['source']>(['req', 'res', 'context', 'options'])

/** The arguments of an operation that clients can set. */
export function shownArguments({ accepts, written }: Operation): ShownArgument[] {
  const words = written === undefined ? [] : objectsIn(written['accepts'])
  return accepts
    .map((argument, index) => ({ argument, written: words[index] ?? {} }))
    .filter(({ argument, written: own }) => {
      const isSentByClients = !worksItOut.has(argument.source) && argument.compute === undefined
      return isSentByClients && own['documented'] !== false
    })
}

/** `required`, omitted if false. */
export const requiredIf = (required: boolean): { required?: true } => (required ? { required } : {})

/** Where a request carries an argument: by default in the body, if it has one. */
export function placeOf(route: DocumentedRoute, { name, source, type }: Argument): string {
  if ((source === 'path' || source === 'any') && isInPath(route, name)) return 'path'
  if (type.kind === 'file') return 'form'
  if (source === 'any') return route.verb === 'get' || route.verb === 'head' ? 'query' : 'form'
  return source === 'formData' ? 'form' : source
}

function idSchema(operation: Operation, name: string, parts: SchemaParts): Schema {
  const model = identifiedModel(operation, name)
  const { idProperty } = model ?? {}
  if (model === undefined || idProperty === undefined) return { type: ['string', 'number'] }
  if (isComposite(model)) {
    const items = model.key.map((property) => propertySchema(property, parts))
    return {
      type: 'array',
      prefixItems: items,
      items: { anyOf: items },
      minItems: items.length,
      maxItems: items.length
    }
  }
  const { description: _ofRecords, default: _ofNewOnes, ...schema } = propertySchema(idProperty, parts)
  return schema
}

/** The id of a record in the path. */
function idParameter(operation: Operation, name: string, parts: SchemaParts): object {
  const model = identifiedModel(operation, name)
  const isWhole = model !== undefined && isComposite(model)
  const form = isWhole ? `: ${model.keyNames.join(' and ')}, separated by a comma, each percent-encoded` : ''
  const description = `Id of ${model === undefined ? 'the related record' : `the ${model.name}`}${form}`
  const style = isWhole ? { style: 'simple', explode: false } : {}
  const parameter = {
    name,
    in: 'path',
    description,
    required: true,
    ...style,
    schema: idSchema(operation, name, parts)
  }
  return parts.components.share('parameters', `${model?.name ?? ''}${name === 'id' ? 'Id' : `-${name}`}`, parameter)
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
  const { description: _text, ...keywords } = schemaKeywords(written)
  const preset = argument.default === undefined ? {} : { default: argument.default }
  return plainSchema({ ...valueSchema(argument.type, parts), ...preset, ...keywords })
}

/** True for what is a text that holds JSON wherever it is not a body. */
function isStructure(schema: Schema): boolean {
  if (schema['$ref'] !== undefined || schema['type'] === 'object') return true
  const { items } = schema
  const isSimpleList = typeof items === 'object' && items !== null && 'type' in items && items.type !== 'object'
  return schema['type'] === 'array' && !(isSimpleList && items.type !== 'array')
}

/** What a page fills in: an example made of the schema would request everything at once. */
function exampleOf(operation: Operation, { argument: { name }, written }: ShownArgument): { example?: string } {
  if (Object.keys(written).length > 0) return {}
  if (name === 'filter') return { example: operation.effect.subject === 'record' ? '{}' : '{"limit":10}' }
  return name === 'where' ? { example: '{}' } : {}
}

/**
 * A structure is a text for every generator of clients: what they make of `content`, or of `deepObject`, throws, drops empty lists, or
 * is the text "[object Object]". `contentSchema` says what the text holds; swagger-ui takes a text with a `contentMediaType` for a file.
 */
const jsonText = (contentSchema: Schema): Schema => ({ type: 'string', contentSchema })

function toParameter(route: DocumentedRoute, shown: ShownArgument, parts: SchemaParts): object {
  const { argument } = shown
  const place = placeOf(route, argument)
  if (place === 'path' && argument.isId === true) return idParameter(route.operation, argument.name, parts)
  const schema = argumentSchema(route.operation, shown, parts)
  const description = textOf(argument.description) ?? textOf(shown.written['description'])
  const common = {
    name: argument.name,
    in: place,
    ...withoutAbsent({ description }),
    ...requiredIf(place === 'path' || argument.required)
  }
  if (!isStructure(schema)) return { ...common, schema }
  const parameter = { ...common, schema: jsonText(schema), ...exampleOf(route.operation, shown) }
  const name = referredName(schema)
  return name === undefined ? parameter : parts.components.share('parameters', name, parameter)
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
      return isId
        ? idParameter(operation, name, parts)
        : { name, in: 'path', required: true, schema: { type: 'string' } }
    })
}

/** The header by which a request is carried out once. */
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Chosen by the client: another request with the same key gets the same response, and is not executed again',
  schema: { type: 'string', maxLength: 255 }
}

/** The parameter for idempotency keys, if the API supports them. */
export const idempotencyParameters = ({ idempotencyKeys, components }: AnswerParts): object[] =>
  idempotencyKeys ? [components.share('parameters', 'IdempotencyKey', idempotencyKey)] : []

/** The parameters of an operation: everything that clients send outside of the body. */
export function openApiParameters(route: DocumentedRoute, parts: AnswerParts): object[] {
  const placed = shownArguments(route.operation).map((shown) => ({ shown, place: placeOf(route, shown.argument) }))
  const own = placed.filter(({ place }) => isOutsideOfBody(place)).map(({ shown }) => shown)
  const read = new Set(placed.filter(({ place }) => place === 'path').map(({ shown }) => shown.argument.name))
  return [
    ...unreadParameters(route, read, parts),
    ...own.map((shown) => toParameter(route, shown, parts)),
    ...conditionalParts(route.operation, parts).parameters,
    ...preferenceParts(route.operation, parts.components).parameters,
    ...(takesIdempotencyKey(route) ? idempotencyParameters(parts) : [])
  ]
}
