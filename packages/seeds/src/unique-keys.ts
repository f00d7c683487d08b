import { isPlainObject, type ModelType } from '@modelwire/core/plugin'

const named = (list: readonly unknown[]): readonly string[] =>
  list.filter((name): name is string => typeof name === 'string')

/** `{ keys: { a: 1 } }`, `{ keys: ['a'] }`, `{ columns: 'a, b' }` or `{ a: 1 }`. */
function propertiesOf(index: Readonly<Record<string, unknown>>): readonly string[] {
  const { keys, columns } = index
  if (typeof columns === 'string') return columns.split(',').map((name) => name.trim())
  if (Array.isArray(keys)) return named(keys)
  if (isPlainObject(keys)) return Object.keys(keys)
  return Object.keys(index).filter((name) => index[name] === 1 || index[name] === -1)
}

const isUnique = ({ options, kind, unique }: Readonly<Record<string, unknown>>): boolean =>
  unique === true ||
  (typeof kind === 'string' && /unique/i.test(kind)) ||
  (isPlainObject(options) && options['unique'] === true)

/**
 * Groups of properties that no two records of a model share: `unique` properties, rules of uniqueness, and unique `indexes` in
 * LoopBack's ways of writing them.
 */
export function uniqueKeys({ properties, rules, definition }: ModelType): readonly (readonly string[])[] {
  const own = properties.filter(({ unique }) => unique).map(({ name }) => [name])
  const byRule = rules
    .filter(({ kind }) => kind === 'uniqueness')
    .map(({ property, options }) => [property, ...named([options['scopedTo']].flat())])
  const indexes = Object.values(definition.indexes ?? {}).filter(isPlainObject)
  return [...own, ...byRule, ...indexes.filter(isUnique).map(propertiesOf)].filter((names) => names.length > 0)
}
