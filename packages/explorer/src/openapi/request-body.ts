import type { Operation } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { type DocumentedRoute, textOf, withoutAbsent } from '../api/documented-routes.ts'
import type { Schema } from './openapi-types.ts'
import { argumentSchema, placeOf, requiredIf, shownArguments, type ShownArgument } from './parameters.ts'
import { creationReference, patchReference, replacementReference, sentAs, type SentAs } from './record-schemas.ts'
import type { SchemaParts } from './type-schema.ts'

/** Forms are read as well; of several types generators of clients may choose the other one, or none. */
const json = 'application/json'

type RecordReference = (model: ModelType, parts: SchemaParts) => Schema

const references: Readonly<Record<SentAs, RecordReference>> = {
  creation: creationReference,
  replacement: replacementReference,
  patch: patchReference
}

/** What of a record the operation wants. */
const referenceFor = ({ effect }: Operation): RecordReference => references[sentAs(effect) ?? 'patch']

function wholeBody(operation: Operation, shown: ShownArgument, parts: SchemaParts): Schema {
  const { argument } = shown
  const model = argument.model === undefined ? undefined : parts.registry.find(argument.model)
  if (model === undefined || model.properties.length === 0) return argumentSchema(operation, shown, parts)
  const schema = referenceFor(operation)(model, parts)
  return argument.allowArray ? { anyOf: [schema, { type: 'array', items: schema }] } : schema
}

function formBody(operation: Operation, fields: readonly ShownArgument[], parts: SchemaParts): Schema {
  const required = fields.filter(({ argument }) => argument.required).map(({ argument }) => argument.name)
  const properties = fields.map((shown) => {
    const description = textOf(shown.argument.description)
    return [shown.argument.name, { ...argumentSchema(operation, shown, parts), ...withoutAbsent({ description }) }]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required })
  }
}

function bodyOf(schema: Schema, type: string, more: object): object {
  return { ...more, content: { [type]: { schema } } }
}

/** The body of a request; undefined if there is none. A GET never has a body. */
export function requestBody(route: DocumentedRoute, parts: SchemaParts): object | undefined {
  const { operation, verb } = route
  if (verb === 'get' || verb === 'head') return undefined
  const shown = shownArguments(operation)
  const whole = shown.find(({ argument }) => placeOf(route, argument) === 'body')
  if (whole !== undefined) {
    const { description, required } = whole.argument
    const schema = wholeBody(operation, whole, parts)
    // A record's schema describes it.
    const own = operation.written === undefined ? {} : withoutAbsent({ description: textOf(description) })
    return bodyOf(schema, json, { ...own, ...requiredIf(required) })
  }
  const fields = shown.filter(({ argument }) => placeOf(route, argument) === 'form')
  if (fields.length === 0) return undefined
  const hasFile = fields.some(({ argument }) => argument.type.kind === 'file')
  const required = fields.some(({ argument }) => argument.required)
  return bodyOf(formBody(operation, fields, parts), hasFile ? 'multipart/form-data' : json, requiredIf(required))
}
