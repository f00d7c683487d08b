import type { ModelType } from '@modelwire/core/plugin'
import { conditionReference } from './condition-schemas.ts'
import type { Schema } from './openapi-types.ts'
import { shownProperties } from './record-schemas.ts'
import type { SchemaParts } from './type-schema.ts'

const list = (items: Schema): Schema => ({ type: 'array', items })

/** Conditions on records of a model. Further keys are paths into properties and related records. */
export function whereReference(model: ModelType, parts: SchemaParts): Schema {
  const name = `${model.name}Where`
  return parts.components.schema(name, () => {
    const itself = { $ref: `#/components/schemas/${name}` }
    const conditions = shownProperties(model).map(
      (property) => [property.name, conditionReference(model, property, parts)] as const
    )
    return {
      type: 'object',
      description: 'All of these hold. A key such as address.city leads into a property or a related record.',
      properties: { ...Object.fromEntries(conditions), and: list(itself), or: list(itself), nor: list(itself) }
    }
  })
}

const oneOrMany = (description: string, one: Schema): Schema => ({ description, anyOf: [one, list(one)] })

function fieldsReference(model: ModelType, { components }: SchemaParts): Schema {
  const names = shownProperties(model).map(({ name }) => name)
  const flags = names.map((name) => [name, { type: 'boolean' }] as const)
  return components.schema(`${model.name}Fields`, () => ({
    description: 'Properties to send: a list of them, or an object of flags',
    anyOf: [list({ enum: names }), { type: 'object', properties: Object.fromEntries(flags) }, { enum: names }]
  }))
}

/** A relation by name, or with a filter of its own; related records may bring theirs. Undefined where there is none. */
function includeReference(model: ModelType, parts: SchemaParts): Schema | undefined {
  const related = parts.relatedOf(model).filter(({ includable }) => includable)
  if (related.length === 0) return undefined
  return parts.components.schema(`${model.name}Include`, () => ({
    anyOf: [
      { enum: related.map(({ name }) => name) },
      ...related.map(({ name, target }) => ({
        type: 'object',
        properties: { relation: { const: name }, scope: filterReference(target, parts) },
        required: ['relation']
      })),
      { type: 'object', description: 'Relations of related records, by relation' }
    ]
  }))
}

function selection(model: ModelType, parts: SchemaParts): Record<string, Schema> {
  const include = includeReference(model, parts)
  return {
    fields: fieldsReference(model, parts),
    ...(include === undefined ? {} : { include: oneOrMany('Related records to send along', include) })
  }
}

/** What to send of one record. */
export function selectionReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.schema(`${model.name}Selection`, () => ({
    type: 'object',
    description: `What to send of a ${model.name}`,
    properties: selection(model, parts)
  }))
}

const count = { type: 'integer', minimum: 0 }

/** Which records of a model to send, in which order, and what of them. */
export function filterReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.schema(`${model.name}Filter`, () => ({
    type: 'object',
    description: `Which records of ${model.name} to send, and what of them`,
    properties: {
      where: whereReference(model, parts),
      order: oneOrMany('Properties to sort by, each with ASC or DESC: price DESC', { type: 'string' }),
      limit: { ...count, minimum: 1, description: 'Records at most' },
      skip: { ...count, description: 'Records to leave out first' },
      offset: { ...count, description: 'As skip' },
      after: { type: 'string', description: 'A cursor: what comes after it in this order' },
      before: { type: 'string', description: 'A cursor: what comes before it in this order' },
      ...selection(model, parts)
    }
  }))
}
