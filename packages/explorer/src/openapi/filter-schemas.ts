import type { ModelType, PropertyType } from '@modelwire/core/plugin'
import { conditionReference } from './condition-schemas.ts'
import type { Schema } from './openapi-types.ts'
import { shownProperties } from './record-schemas.ts'
import type { SchemaParts } from './type-schema.ts'

const list = (items: Schema): Schema => ({ type: 'array', items })

/** Conditions on records of a model. Further keys are paths into properties and related records. */
export function whereReference(model: ModelType, parts: SchemaParts): Schema {
  const name = `${model.name}Where`
  return parts.components.reference(name, () => {
    const itself = { $ref: `#/components/schemas/${name}` }
    const conditions = shownProperties(model).map(
      (property) => [property.name, conditionReference(model, property, parts)] as const
    )
    return {
      type: 'object',
      description: `Conditions on records of ${model.name}, all of which hold. A key such as address.city leads into a property or a related record.`,
      properties: { ...Object.fromEntries(conditions), and: list(itself), or: list(itself), nor: list(itself) }
    }
  })
}

function fieldsSchema(names: readonly string[]): Schema {
  const flags = names.map((name) => [name, { type: 'boolean' }] as const)
  return {
    description: 'Properties to send: a list of them, or an object of flags',
    anyOf: [list({ enum: names }), { type: 'object', properties: Object.fromEntries(flags) }, { enum: names }]
  }
}

function orderSchema(properties: readonly PropertyType[]): Schema {
  const clauses = properties.flatMap(({ name }) => [name, `${name} ASC`, `${name} DESC`])
  const clause = { anyOf: [{ enum: clauses }, { type: 'string' }] }
  return { description: 'Properties to sort by, each with ASC or DESC', anyOf: [clause, list(clause)] }
}

/** Relations by name, or with a filter of their own. Related records may bring theirs. */
function includeSchema(model: ModelType, parts: SchemaParts): Schema | undefined {
  const related = parts.relatedOf(model).filter(({ includable }) => includable)
  if (related.length === 0) return undefined
  const names = { enum: related.map(({ name }) => name) }
  const scoped = related.map(({ name, target }): Schema => ({
    type: 'object',
    properties: { relation: { const: name }, scope: filterReference(target, parts) },
    required: ['relation']
  }))
  const nested = { type: 'object', description: 'Relations of related records, by relation' }
  const entry = { anyOf: [names, ...scoped, nested] }
  return { description: 'Related records to send along', anyOf: [names, list(entry), nested, ...scoped] }
}

function selection(model: ModelType, parts: SchemaParts): Record<string, Schema> {
  const include = includeSchema(model, parts)
  return {
    fields: fieldsSchema(shownProperties(model).map(({ name }) => name)),
    ...(include === undefined ? {} : { include })
  }
}

/** What to send of one record. */
export function selectionReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.reference(`${model.name}Selection`, () => ({
    type: 'object',
    description: `What to send of a ${model.name}`,
    properties: selection(model, parts)
  }))
}

const count = { type: 'integer', minimum: 0 }

/** Which records of a model to send, in which order, and what of them. */
export function filterReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.reference(`${model.name}Filter`, () => ({
    type: 'object',
    description: `Which records of ${model.name} to send, and what of them`,
    properties: {
      where: whereReference(model, parts),
      order: orderSchema(shownProperties(model)),
      limit: { ...count, minimum: 1, description: 'Records at most' },
      skip: { ...count, description: 'Records to leave out first' },
      offset: { ...count, description: 'As skip' },
      after: { type: 'string', description: 'A cursor: what comes after it in this order' },
      before: { type: 'string', description: 'A cursor: what comes before it in this order' },
      ...selection(model, parts)
    }
  }))
}
