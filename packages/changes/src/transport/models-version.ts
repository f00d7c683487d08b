import { createHash } from 'node:crypto'
import type { ModelType, PropertyType } from '@modelwire/core/plugin'

type ValueType = PropertyType['type']

function shapeOf(type: ValueType): unknown {
  if (type.kind === 'array') return [type.kind, type.items && shapeOf(type.items)]
  if (type.kind === 'nested') return [type.kind, type.properties.map(shapeOfProperty)]
  return type.kind === 'model' ? [type.kind, type.model] : type.kind
}

const shapeOfProperty = ({ name, type }: PropertyType): unknown => [name, shapeOf(type)]

/** A text that is another one where rows of a log would be read with other properties, or those of other models. */
export function modelsVersion(log: string, models: readonly ModelType[]): string {
  const shapes = models.map(({ name, properties }) => [name, properties.map(shapeOfProperty)])
  const text = JSON.stringify([log, shapes.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
