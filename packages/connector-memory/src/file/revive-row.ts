import type { PropertyType, Row, ValueType } from '@modelwire/core/connector'

/** Makes of a value as JSON has it the value that its type has in memory. */
export type Revive = (value: unknown) => unknown

/** How rows of a model come back from JSON, which has neither dates nor binary data. */
export function makeRowReviver(properties: readonly PropertyType[]): (row: Row) => Row {
  const revivers = revivable(properties)
  return (row) => {
    for (const [name, revive] of revivers) if (Object.hasOwn(row, name)) row[name] = revive(row[name])
    return row
  }
}

/** How values of one type come back; undefined where JSON has them already. */
function makeReviver(type: ValueType): Revive | undefined {
  if (type.kind === 'date') return reviveDate
  if (type.kind === 'buffer') return reviveBuffer
  if (type.kind === 'array') return type.items && reviveItems(makeReviver(type.items))
  return type.kind === 'nested' ? reviveNested(type.properties) : undefined
}

function revivable(properties: readonly PropertyType[]): readonly (readonly [string, Revive])[] {
  return properties.flatMap(({ name, type }) => {
    const revive = makeReviver(type)
    return revive === undefined ? [] : [[name, revive] as const]
  })
}

function reviveDate(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : date
}

/** As `JSON.stringify` writes a buffer, and LoopBack 3 with it. */
function reviveBuffer(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('data' in value)) return value
  return Array.isArray(value.data) ? Buffer.from(value.data) : value
}

function reviveItems(revive: Revive | undefined): Revive | undefined {
  if (revive === undefined) return undefined
  return (value) => (Array.isArray(value) ? value.map(revive) : value)
}

function reviveNested(properties: readonly PropertyType[]): Revive | undefined {
  const revivers = revivable(properties)
  if (revivers.length === 0) return undefined
  const reviveParts = makeRowReviver(properties)
  // Every object is a row of its parts.
  return (value) => (typeof value === 'object' && value !== null ? reviveParts(value as Row) : value)
}
