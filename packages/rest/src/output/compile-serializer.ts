import type { ModelType, Row, ValueType } from '@modelwire/core'

/**
 * The JSON text of one row.
 * @param complete the row has every declared property as an own key, as connectors hand them out: counting the keys then
 * tells whether there are undeclared ones
 */
export type SerializeRow = (row: Readonly<Row>, complete: boolean) => string

// Texts of JSON that need no escaping; lone surrogates are escaped by JSON.stringify.
// eslint-disable-next-line no-control-regex
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

const json = (value: unknown): string => JSON.stringify(value) ?? 'null'

const isoText: unique symbol = Symbol('JSON text')

/** A date that may know its JSON text. */
interface KnownDate extends Date {
  [isoText]?: string
}

const isDate = (value: unknown): value is KnownDate => value instanceof Date && value.getTime() - value.getTime() === 0

/** Texts of values by the kind of their declared type. A value of another type gets its own JSON. */
const writers = {
  text: (value: unknown) => (typeof value === 'string' && !needsEscape.test(value) ? `"${value}"` : json(value)),
  number: (value: unknown) => (typeof value === 'number' && value - value === 0 ? `${value}` : json(value)),
  boolean: (value: unknown) => (typeof value === 'boolean' ? `${value}` : json(value)),
  date: (value: unknown) => (isDate(value) ? `"${value.toISOString()}"` : json(value)),
  /** For rows of a connector, which nobody changes: the text of a date is kept with it. */
  storedDate: (value: unknown) => (isDate(value) ? (value[isoText] ??= `"${value.toISOString()}"`) : json(value)),
  json
} as const

const writerNames: Readonly<Partial<Record<ValueType['kind'], keyof typeof writers>>> = {
  string: 'text',
  text: 'text',
  dateString: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  date: 'date'
}

type WriteUndeclared = (row: Readonly<Row>, first: boolean) => string

/** Writes the undeclared properties of a row, with a leading comma unless nothing precedes them. */
function compileUndeclared(model: ModelType, isShown: (name: string) => boolean): WriteUndeclared {
  const idName = model.idProperty?.name ?? 'id'
  // LB3: `id` shows the record's id also where the id has another name and a client stored an `id`, pinned by crud/named-id
  const valueOf = (row: Readonly<Row>, key: string) => row[key === 'id' ? idName : key]
  return (row, first) => {
    let text = ''
    for (const key of Object.keys(row)) {
      if (model.byName.has(key) || !isShown(key)) continue
      const value = JSON.stringify(valueOf(row, key))
      if (value !== undefined) text += `${first && text === '' ? '' : ','}${JSON.stringify(key)}:${value}`
    }
    return text
  }
}

/** What a serializer shows of a model's rows. */
export interface SerializerOptions {
  /** Names to keep; all when absent. */
  readonly fields?: ReadonlySet<string> | undefined
  /** The row lies within another one: protected properties are left out too. */
  readonly nested?: boolean | undefined
}

/**
 * Compiles the JSON of a model's rows: declared properties in their order, then undeclared ones, hidden ones never.
 *
 * The code that is compiled holds nothing from outside but property names, and those only as JSON texts.
 */
export function compileSerializer(model: ModelType, { fields, nested }: SerializerOptions = {}): SerializeRow {
  const hidden = nested === true ? new Set([...model.hidden, ...model.protected]) : model.hidden
  const isShown = (name: string) => !hidden.has(name) && (fields === undefined || fields.has(name))
  const shown = model.properties.filter(({ name }) => isShown(name))
  const steps = shown.map(({ name, type }) => {
    const key = JSON.stringify(name)
    const writer = writerNames[type.kind] ?? 'json'
    const write = writer === 'date' ? '(complete ? storedDate : date)' : writer
    const start = JSON.stringify(`${key}:`)
    return `value = row[${key}]; if (value !== undefined) { out += comma + ${start} + (value === null ? 'null' : ${write}(value)); comma = ',' }`
  })
  const declared = model.properties.length
  const undeclared = model.strict
    ? ''
    : `if (complete) for (const key in row) count++
    if (count !== ${declared} && hasUndeclared(row)) out += writeUndeclared(row, comma === '')`
  const body = `return function serialize (row, complete) {
    let out = '{', comma = '', count = -1, value
    if (complete) count = 0
    ${steps.join('\n    ')}
    ${undeclared}
    return out + '}'
  }`
  const hasUndeclared = (row: Readonly<Row>): boolean => Object.keys(row).some((key) => !model.byName.has(key))
  const names = [...Object.keys(writers), 'writeUndeclared', 'hasUndeclared']
  const values = [...Object.values(writers), compileUndeclared(model, isShown), hasUndeclared]
  // Function is given the code above, which no client can influence: see the comment on this function.
  // oxlint-disable-next-line no-implied-eval, no-unsafe-call
  return new Function(...names, body)(...values) as SerializeRow
}
