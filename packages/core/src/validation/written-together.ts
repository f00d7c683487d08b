import type { ModelType } from '../contract/model-type.ts'

type Values = Readonly<Record<string, unknown>>

/** Records that are written together, each of which is validated against the previous ones. */
export interface WrittenTogether {
  readonly add: (record: Values) => void
  /** True if one of them has these values. */
  readonly has: (values: Values) => boolean
}

interface Index {
  readonly keys: Set<string>
  /** The number of records so far. */
  count: number
}

/** The records of one write, found by their values in constant time. */
export function makeWrittenTogether(model: ModelType): WrittenTogether {
  const records: Values[] = []
  const indexes = new Map<string, Index>()
  const coercions = new Map(model.plan.map(({ name, coerce }) => [name, coerce]))
  // Defaults are texts where dates are stored: values are compared as what they become.
  const keyOf = (values: Values, names: readonly string[]): string =>
    JSON.stringify(names.map((name) => coercions.get(name)?.(values[name]) ?? values[name] ?? null))
  const indexOf = (names: readonly string[]): Set<string> => {
    const title = JSON.stringify(names)
    const index = indexes.get(title) ?? { keys: new Set<string>(), count: 0 }
    indexes.set(title, index)
    for (const record of records.slice(index.count)) index.keys.add(keyOf(record, names))
    index.count = records.length
    return index.keys
  }
  return {
    add: (record) => void records.push(record),
    has(values) {
      const names = Object.keys(values)
      return indexOf(names).has(keyOf(values, names))
    }
  }
}
