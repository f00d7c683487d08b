import type { Row } from '../contract/row.ts'
import { ValidationError } from '../errors.ts'
import { convertPatch } from '../model/build-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { toDetails, unknownProperties } from '../validation/validate-instance.ts'

/**
 * What a write changes of stored records, converted to the types of the model.
 * @param inLoopback what becomes of undeclared properties of a strict model where `toleratesUndeclared` holds; elsewhere they are refused
 * @throws {ValidationError} a value cannot become its type, or the model is strict and does not declare a property
 */
export function checkedPatch(model: ModelType, data: Row, inLoopback: 'dropped' | 'stored'): Row {
  const { patch, unusable, undeclared } = convertPatch(model, data)
  const problems = [...unusable].map(([property, value]) => ({ property, code: value.code, message: value.message }))
  const unknown = model.strict ? undeclared : []
  if (!model.registry.rules.toleratesUndeclared) problems.push(...unknownProperties(unknown))
  if (problems.length > 0) throw new ValidationError(toDetails(model.name, problems))
  // LB3: PATCH on the collection drops undeclared properties of a strict model silently, and an update of many stores them, though
  // they are never shown; pinned by crud/strict-true.
  if (inLoopback === 'dropped') for (const name of unknown) delete patch[name]
  return patch
}
