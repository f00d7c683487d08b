import type { ModelType, Row, ValueType } from '@modelwire/core'

/** The JSON text of one row. */
export type SerializeRow = (row: Readonly<Row>) => string

// Texts of JSON that need no escaping; lone surrogates are escaped by JSON.stringify.
// eslint-disable-next-line no-control-regex
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

const json = (value: unknown): string => JSON.stringify(value) ?? 'null'

/** Texts of values by the kind of their declared type. A value of another type gets its own JSON. */
const writers = {
  text: (value: unknown) => (typeof value === 'string' && !needsEscape.test(value) ? `"${value}"` : json(value)),
  number: (value: unknown) => (typeof value === 'number' && value - value === 0 ? String(value) : json(value)),
  boolean: (value: unknown) => (value === true ? 'true' : value === false ? 'false' : json(value)),
  date: (value: unknown) => (value instanceof Date && value.getTime() - value.getTime() === 0 ? `"${value.toISOString()}"` : json(value)),
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

/** The undeclared properties of a row, each with a leading comma or without one where nothing precedes. */
function writeUndeclared(row: Readonly<Row>, declared: ReadonlySet<string>, hidden: ReadonlySet<string>, fields: ReadonlySet<string> | undefined, first: boolean): string {
  let text = ''
  for (const key of Object.keys(row)) {
    if (declared.has(key) || hidden.has(key) || (fields !== undefined && !fields.has(key))) continue
    const value = JSON.stringify(row[key])
    if (value !== undefined) text += `${first && text === '' ? '' : ','}${JSON.stringify(key)}:${value}`
  }
  return text
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
  const shown = model.properties.filter(({ name }) => !hidden.has(name) && (fields === undefined || fields.has(name)))
  const steps = shown.map(({ name, type }) => {
    const key = JSON.stringify(name)
    const writer = writerNames[type.kind] ?? 'json'
    const start = JSON.stringify(`${key}:`)
    return `value = row[${key}]; if (value !== undefined) { text += comma + ${start} + (value === null ? 'null' : ${writer}(value)); comma = ',' }`
  })
  const declared = new Set(model.properties.map(({ name }) => name))
  const open = !model.strict
  const body = `return function serialize (row) {
    let text = '{', comma = '', value
    ${steps.join('\n    ')}
    ${open ? `let count = 0; for (const key in row) count++
    if (count > ${declared.size}) text += writeUndeclared(row, declared, hidden, fields, comma === '')
    else if (count < ${declared.size} && hasUndeclared(row)) text += writeUndeclared(row, declared, hidden, fields, comma === '')` : ''}
    return text + '}'
  }`
  const hasUndeclared = (row: Readonly<Row>): boolean => Object.keys(row).some((key) => !declared.has(key))
  const names = [...Object.keys(writers), 'writeUndeclared', 'hasUndeclared', 'declared', 'hidden', 'fields']
  const values = [...Object.values(writers), writeUndeclared, hasUndeclared, declared, hidden, fields]
  // Function is given the code above, which no client can influence: see the comment on this function.
  return new Function(...names, body)(...values) as SerializeRow
}
