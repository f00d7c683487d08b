import { isPlainObject } from '@modelwire/core/plugin'

/** Called for a part that has no meaning, by the key below the one that is read. */
type Drop = (key: string) => void

const isLeftOut = (written: unknown): boolean => written === null || written === false || written === ''

/** LB3: of several types in a list the first counts. What is not a type at all keeps values as they are. */
function readType(type: unknown, drop: Drop): unknown {
  if (Array.isArray(type)) return type.length > 0 ? [readType(type[0], drop)] : type
  if (isPlainObject(type)) return 'type' in type ? readProperty(type, drop) : readNested(type, drop)
  if (typeof type === 'string' ? type !== '' : typeof type === 'function' || type === undefined) return type
  if (typeof type === 'object' && type !== null) return type
  drop('type')
  return 'any'
}

function readNested(properties: Readonly<Record<string, unknown>>, drop: Drop): Record<string, unknown> {
  const entries = Object.entries(properties).filter(([, written]) => !isLeftOut(written))
  return Object.fromEntries(
    entries.map(([name, written]) => [name, readProperty(written, (key) => drop(`${name}.${key}`))])
  )
}

function readProperty(written: unknown, drop: Drop): unknown {
  if (!isPlainObject(written)) return readType(written, drop)
  if (!('type' in written)) return readNested(written, drop)
  return { ...written, type: readType(written['type'], drop) }
}

/**
 * The properties of a definition in the shapes that the registry knows. A list holds types by its places. Null and
 * false stay, since they leave out what a base has; an empty text is not a property.
 * @see LoopBack 3: loopback-datasource-juggler, lib/model-builder.js, define and resolveType
 */
export function readProperties(written: unknown, drop: Drop): unknown {
  const properties: unknown = written || {}
  if (!isPlainObject(properties) && !Array.isArray(properties)) return properties
  const entries = Object.entries(properties as Readonly<Record<string, unknown>>).filter(([, value]) => value !== '') // of a list, its places
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      isLeftOut(value) ? value : readProperty(value, (key) => drop(`${name}.${key}`))
    ])
  )
}
