import type { ModelType } from '@modelwire/core/connector'
import { countComparisons, relationOperators } from '@modelwire/core/plugin'
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
      description: 'All of these must match. A key such as address.city is a path into a property or a related record.',
      properties: {
        ...relationConditions(model, parts),
        ...Object.fromEntries(conditions),
        and: list(itself),
        or: list(itself),
        nor: list(itself)
      }
    }
  })
}

const number: Schema = { type: 'number' }

/** Comparisons of a number of related records, or of those that match. */
const countSchema = (where: Schema): Schema => ({
  description: relationOperators.get('count') ?? '',
  anyOf: [
    number,
    {
      type: 'object',
      properties: {
        ...Object.fromEntries(countComparisons.map(([name, takesList]) => [name, takesList ? list(number) : number])),
        where
      }
    }
  ]
})

/** What relations can be tested for. */
function relationConditions(model: ModelType, parts: SchemaParts): Record<string, Schema> {
  const related = parts.relatedOf(model).filter(({ includable }) => includable)
  return Object.fromEntries(related.map(({ name, target, many }) => [name, relationCondition(target, many, parts)]))
}

function relationCondition(target: ModelType, many: boolean, parts: SchemaParts): Schema {
  return parts.components.schema(`${target.name}${many ? 'List' : 'Relation'}Condition`, () => {
    // Pages that show documents resolve references within references: those of related models would multiply.
    const where: Schema = { type: 'object', description: `Conditions as in the filters of ${target.name}` }
    const quantifiers = (many ? ['some', 'none', 'every'] : ['some', 'none']).map((name): readonly [string, Schema] => [
      name,
      { ...where, description: relationOperators.get(name) ?? '' }
    ])
    return {
      description: `Conditions that one related ${target.name} must satisfy, operators, or null: there is none`,
      anyOf: [
        where,
        {
          type: 'object',
          properties: { ...Object.fromEntries(quantifiers), ...(many ? { count: countSchema(where) } : {}) }
        },
        { type: 'null' }
      ]
    }
  })
}

const oneOrMany = (description: string, one: Schema): Schema => ({ description, anyOf: [one, list(one)] })

function fieldsReference(model: ModelType, { components }: SchemaParts): Schema {
  const names = shownProperties(model).map(({ name }) => name)
  const flags = names.map((name) => [name, { type: 'boolean' }] as const)
  return components.schema(`${model.name}Fields`, () => ({
    description: 'Properties to return: a list of them, or an object of flags',
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
      ...related.map(({ name, target, many }) => ({
        type: 'object',
        properties: {
          relation: { const: name },
          scope: filterReference(target, parts),
          ...(many ? { count: { type: 'boolean', description: `Gives ${name}Count in place of the records` } } : {})
        },
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
    ...(include === undefined ? {} : { include: oneOrMany('Related records to include', include) })
  }
}

/** Which parts of a record to return. */
export function selectionReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.schema(`${model.name}Selection`, () => ({
    type: 'object',
    description: `Which parts of a ${model.name} to return`,
    properties: selection(model, parts)
  }))
}

const count = { type: 'integer', minimum: 0 }

/** Which records of a model to return, in which order, and which parts of them. */
export function filterReference(model: ModelType, parts: SchemaParts): Schema {
  return parts.components.schema(`${model.name}Filter`, () => ({
    type: 'object',
    description: `Which records of ${model.name} to return, and which parts of them`,
    properties: {
      where: whereReference(model, parts),
      order: oneOrMany('Properties to sort by, each with ASC or DESC: price DESC', { type: 'string' }),
      limit: { ...count, minimum: 1, description: 'Maximum number of records' },
      skip: { ...count, description: 'Records to skip' },
      offset: { ...count, description: 'Alias of skip' },
      after: { type: 'string', description: 'A cursor: return records after it in this order' },
      before: { type: 'string', description: 'A cursor: return records before it in this order' },
      ...selection(model, parts)
    }
  }))
}
