import type { Argument, Operation } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import type { WrittenType } from './swagger-schema.ts'

/** An argument or return value in the terms of a remote method. */
export interface WrittenValue {
  readonly name: string
  /** Where a request carries it; undefined if it is not declared. */
  readonly source: string | undefined
  readonly required: boolean
  readonly written: WrittenType
}

/** A compiled type in the terms of a model file. */
export function writtenType(type: Argument['type'] | Operation['returns'][number]['type']): unknown {
  if (type.kind === 'model') return type.model
  if (type.kind === 'array') return type.items === undefined ? ['any'] : [writtenType(type.items)]
  if (type.kind !== 'nested') return type.kind
  return Object.fromEntries(
    type.properties.map(({ name, type: inner, required }) => [name, { type: writtenType(inner), required }])
  )
}

/** LB3: arguments that the server works out are not shown. */
const worksItOut = new Set<unknown>(['req', 'res', 'context', 'options'])

/** A record to create may have a definition of its own. */
function isCreation({ effect: { verb, relation } }: Operation): boolean {
  return verb === 'create' && relation?.many !== false
}

function ofArgument(operation: Operation, argument: Argument, index: number): WrittenValue[] {
  if (worksItOut.has(argument.source) || argument.compute !== undefined) return []
  const written = writtenOf(operation, index)
  if (written?.['documented'] === false) return []
  const { name, source, required, type, model } = argument
  const text = operation.loopbackText
  const own: WrittenType = {
    type: writtenType(type),
    ...(model === undefined ? {} : { model, createOnlyInstance: isCreation(operation) }),
    ...descriptionOf(text === undefined ? argument.description : text.arguments?.[name])
  }
  const words = written === undefined || text !== undefined ? own : withType(written)
  return [{ name, required, written: words, source: source === 'any' ? undefined : source }]
}

const descriptionOf = (description: string | undefined): WrittenType =>
  description === undefined ? {} : { description }

const withType = (written: WrittenType): WrittenType => ({ ...written, type: written['type'] ?? 'any' })

function writtenOf({ written }: Operation, index: number): WrittenType | undefined {
  return written === undefined ? undefined : objectsIn(written['accepts'])[index]
}

/** The objects of a list, or the single object. */
export function objectsIn(value: unknown): readonly Record<string, unknown>[] {
  return (Array.isArray(value) ? value : [value]).filter(isPlainObject)
}

/** The arguments of an operation that documents show, in LoopBack's terms. The id of a record comes first. */
export function writtenArguments(operation: Operation): WrittenValue[] {
  const own = operation.accepts.flatMap((argument, index) => ofArgument(operation, argument, index))
  if (!operation.onInstance || own.some(({ name, source }) => name === 'id' && source === 'path')) return own
  const description = `${operation.model.name} id`
  return [{ name: 'id', source: 'path', required: true, written: { type: 'any', description } }, ...own]
}

const typeNames: ReadonlyMap<unknown, string> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'integer'],
  ['boolean', 'boolean'],
  ['object', 'object']
])

/** A type that comes close to a JSON schema. */
function typeOfSchema(schema: object): unknown {
  if (!isPlainObject(schema)) return 'any'
  const { type, items, properties } = schema
  if (type === 'array') return [isPlainObject(items) ? typeOfSchema(items) : 'any']
  if (type !== 'object' || !isPlainObject(properties)) return typeNames.get(type) ?? 'any'
  const parts = Object.entries(properties).map(([name, part]) => [
    name,
    { type: isPlainObject(part) ? typeOfSchema(part) : 'any' }
  ])
  return Object.fromEntries(parts)
}

/** The values that an operation returns in its body, in LoopBack's terms. */
export function writtenReturns({ returns, written }: Operation): (WrittenValue & { readonly root: boolean })[] {
  const words = written === undefined ? [] : objectsIn(written['returns'])
  return returns.flatMap(({ name, type, root, target, description, schema }, index) => {
    if (target !== undefined) return []
    const own: WrittenType = {
      type: schema === undefined ? writtenType(type) : typeOfSchema(schema),
      ...descriptionOf(description)
    }
    const declared = words[index]
    const required = declared?.['required'] === true
    return [{ name, root, required, source: undefined, written: declared === undefined ? own : withType(declared) }]
  })
}
