import { isPlainObject, type ModelType } from '@modelwire/core/connector'
import { familyOf } from '../family.ts'
import { type Driver, partOf } from '../juggler/driver.ts'

// LB3: the settings that connectors read a column's name from; SqlConnector.getColumnName, MongoDB.getDatabaseColumnName.
const settings = ['field', 'fieldName', 'column', 'columnName'] as const

/** The names that a connector stores properties of a model under, where these differ from all names of properties. */
export function storedNames(driver: Driver, model: ModelType): ReadonlySet<string> {
  // A table has no columns for undeclared names.
  if (familyOf(driver) === 'relational') return new Set()
  const connector = String(partOf(driver, 'name'))
  const names = model.properties.flatMap(({ definition }) => [
    ...namesIn(definition),
    ...namesIn(partOf(definition, connector))
  ])
  if (familyOf(driver) === 'mongodb' && model.idProperty !== undefined) names.push('_id')
  return new Set(names.filter((name) => !model.byName.has(name)))
}

function namesIn(mapping: unknown): readonly string[] {
  if (!isPlainObject(mapping)) return []
  return settings.map((setting) => mapping[setting]).filter((name) => typeof name === 'string')
}
