import { isComposite, type Row, type ModelType, type PropertyType, type ValueType } from '@modelwire/core/connector'
import { embeddedModel, hideWithin } from '@modelwire/core/plugin'

/**
 * Returns the JSON text of one row.
 * @param complete the row has every declared property as an own key, as connectors return them: counting the keys then
 * shows whether there are undeclared ones
 * @param related JSON members to write after the row's own
 */
export type SerializeRow = (row: Readonly<Row>, complete: boolean, related?: string) => string

// Texts of JSON that need no escaping; lone surrogates are escaped by JSON.stringify.
// eslint-disable-next-line no-control-regex
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

const json = (value: unknown): string => JSON.stringify(value) ?? 'null'

const isDate = (value: unknown): value is Date => value instanceof Date && value.getTime() - value.getTime() === 0

/** What the compiled code calls. */
const helpers = { needsEscape, json, isDate } as const

/** Code that writes the variable `value` if it is of the expected type. */
interface QuickWrite {
  readonly guard: string
  readonly text: string
  /** Written before the value. */
  readonly open?: string
}

const writeText: QuickWrite = {
  guard: `typeof value === 'string' && !needsEscape.test(value)`,
  open: '"',
  text: `value + '"'`
}
const writeNumber: QuickWrite = { guard: `typeof value === 'number' && value - value === 0`, text: 'value' }

/** By the kind of the declared type; every other value gets its own JSON. */
const quickWrites: Readonly<Partial<Record<ValueType['kind'], QuickWrite>>> = {
  string: writeText,
  text: writeText,
  dateString: writeText,
  number: writeNumber,
  integer: writeNumber,
  boolean: { guard: `typeof value === 'boolean'`, text: 'value' },
  date: { guard: 'isDate(value)', open: '"', text: `value.toISOString() + '"'` }
}

/** The statement that writes one property. Comma, name and quote are one text: the fewer are joined, the faster. */
function writeProperty({ name, type }: PropertyType, model: ModelType): string {
  const key = JSON.stringify(name)
  const start = (open: string): string =>
    `(out === '{' ? ${JSON.stringify(`${key}:${open}`)} : ${JSON.stringify(`,${key}:${open}`)})`
  const other = `if (value !== undefined) out += ${start('')} + json(value)`
  const quick = quickWrites[type.kind]
  if (embeddedModel(model, name) !== undefined) return `value = hide(${key}, row[${key}]); ${other}`
  if (quick === undefined) return `value = row[${key}]; ${other}`
  return `value = row[${key}]; if (${quick.guard}) out += ${start(quick.open ?? '')} + ${quick.text}; else ${other}`
}

type WriteUndeclared = (row: Readonly<Row>, first: boolean) => string

/** Writes the undeclared properties of a row, with a leading comma unless nothing precedes them. */
function compileUndeclared(model: ModelType, isShown: (name: string) => boolean): WriteUndeclared {
  const idName = isComposite(model) ? 'id' : (model.idProperty?.name ?? 'id')
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

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

/** The parts of a model's rows that a serializer shows. */
export interface SerializerOptions {
  /** Names of properties to write; all when absent. */
  readonly fields?: ReadonlySet<string> | undefined
  /** The row is embedded in another one: protected properties are also omitted. */
  readonly nested?: boolean | undefined
}

/** The statements that write undeclared properties. With `fields`, a connector may leave out declared ones: keys are not counted. */
function writeOthers(model: ModelType, fields: ReadonlySet<string> | undefined): string {
  const mayShow = fields === undefined || [...fields].some((name) => !model.byName.has(name))
  if (!mayShow) return ''
  const write = `if (hasUndeclared(row)) out += writeUndeclared(row, out === '{')`
  // LB3: what observers set in the instance of a strict model is shown; lib/model.js, toJSON.
  if (model.strict) return model.registry.rules.showsUndeclaredOfHooks ? `if (!complete) { ${write} }` : ''
  if (fields !== undefined) return write
  return `if (complete) { count = 0; for (const key in row) count++ }
    if (count !== ${model.properties.length}) ${write}`
}

/**
 * Compiles the JSON serializer of a model's rows: declared properties in their order, then undeclared ones, never hidden
 * ones.
 *
 * The compiled code contains nothing external except property names, and those only as JSON strings.
 */
export function compileSerializer(model: ModelType, { fields, nested }: SerializerOptions = {}): SerializeRow {
  const hidden = nested === true ? new Set([...model.hidden, ...model.protected]) : model.hidden
  const isShown = (name: string) => !hidden.has(name) && (fields === undefined || fields.has(name))
  const shown = model.properties.filter(({ name }) => isShown(name))
  const write = (properties: readonly PropertyType[]): string =>
    properties.map((property) => writeProperty(property, model)).join('\n    ')
  // LB3: a property with the name of a relation comes behind undeclared ones; lib/model.js, toObject.
  const [plain, likeRelations] = partition(shown, ({ name }) => !model.relations.has(name))
  const body = `return function serialize (row, complete, related) {
    let out = '{', count = -1, value
    ${write(plain)}
    ${writeOthers(model, fields)}
    ${write(likeRelations)}
    if (related !== undefined) out += (out === '{' ? '' : ',') + related
    return out + '}'
  }`
  const hasUndeclared = (row: Readonly<Row>): boolean => Object.keys(row).some((key) => !model.byName.has(key))
  const names = [...Object.keys(helpers), 'hide', 'writeUndeclared', 'hasUndeclared']
  const hide = (name: string, value: unknown): unknown => hideWithin(model, name, value)
  const values = [...Object.values(helpers), hide, compileUndeclared(model, isShown), hasUndeclared]
  // Function is given the code above, which no client can influence: see the comment on this function.
  // oxlint-disable-next-line no-implied-eval, no-unsafe-call
  return new Function(...names, body)(...values) as SerializeRow
}
