import type { Row } from '../contract/row.ts'
import { setOwn } from '@modelwire/server'
import type { ModelType } from '../contract/model-type.ts'
import type { ResolvedRelation } from '../contract/relation.ts'

/** The key of the record that stands under the name of a relation; undefined where none does. */
function keyUnder({ holdsKey, name, from, keyTo }: ResolvedRelation, data: Readonly<Row>): unknown {
  const { [name]: value } = data
  if (holdsKey !== 'one' || typeof value !== 'object' || value === null || from.byName.has(name)) return undefined
  return Reflect.get(value, keyTo)
}

/**
 * LB3: the data of a whole record may contain a related one under the name of a `belongsTo` relation, in place of its key.
 * If both that record and the key are present, the later one counts.
 * @returns the data with only the keys
 * @see LoopBack 3: loopback-datasource-juggler, lib/model.js, _initProperties
 */
export function withRelatedKeys(model: ModelType, data: Readonly<Row>): Readonly<Row> {
  if (!model.registry.rules.takesRelatedForKeys || model.relations.size === 0) return data
  const keys = new Map<string, { readonly property: string; readonly key: unknown }>()
  for (const relation of model.relations.values()) {
    const key = keyUnder(relation, data)
    if (key !== undefined) keys.set(relation.name, { property: relation.keyFrom, key })
  }
  return keys.size === 0 ? data : replaced(data, keys)
}

function replaced(data: Readonly<Row>, keys: ReadonlyMap<string, { property: string; key: unknown }>): Row {
  const row: Row = {}
  for (const name of Object.keys(data)) {
    const found = keys.get(name)
    setOwn(row, found?.property ?? name, found === undefined ? data[name] : found.key)
  }
  return row
}
