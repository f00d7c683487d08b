import { Found, Model, type ModelType, stateOf, typeOf } from '@modelwire/core'
import { compileSerializer, type SerializeRow } from './compile-serializer.ts'

/** Serializers of one model: the usual ones, and those for chosen fields, of which only so many are kept. */
interface ModelSerializers {
  readonly whole: SerializeRow
  readonly nested: SerializeRow
  readonly byFields: Map<string, SerializeRow>
  readonly bySet: WeakMap<ReadonlySet<string>, SerializeRow>
}

const keptPerModel = 50

/** Turns results into JSON texts. One per mounted `rest`. */
export class Serializers {
  readonly #models = new Map<ModelType, ModelSerializers>()

  #of(model: ModelType): ModelSerializers {
    const known = this.#models.get(model)
    if (known !== undefined) return known
    const made = {
      whole: compileSerializer(model),
      nested: compileSerializer(model, { nested: true }),
      byFields: new Map(),
      bySet: new WeakMap()
    }
    this.#models.set(model, made)
    return made
  }

  #forFields(model: ModelType, fields: ReadonlySet<string>): SerializeRow {
    const { byFields, bySet } = this.#of(model)
    const known = bySet.get(fields)
    if (known !== undefined) return known
    const key = JSON.stringify([...fields].toSorted())
    const serialize = byFields.get(key) ?? compileSerializer(model, { fields })
    byFields.delete(key)
    byFields.set(key, serialize)
    if (byFields.size > keptPerModel) byFields.delete(byFields.keys().next().value ?? '')
    bySet.set(fields, serialize)
    return serialize
  }

  /** The JSON text of any result; undefined has none. */
  toJson(value: unknown): string | undefined {
    if (value instanceof Found) return this.#found(value)
    if (value instanceof Model) return this.#record(value, false)
    if (Array.isArray(value) && value.every((item) => item instanceof Model))
      return `[${value.map((item) => this.#record(item, false)).join(',')}]`
    return JSON.stringify(value)
  }

  #found(found: Found): string {
    const serialize =
      found.fields === undefined ? this.#of(found.model).whole : this.#forFields(found.model, found.fields)
    const { rows, related } = found
    if (related !== undefined) return this.#foundWithRelated(found, related, serialize)
    if (found.single) return serialize(rows[0] ?? {}, true)
    let text = ''
    for (const row of rows) text += (text === '' ? '' : ',') + serialize(row, true)
    return `[${text}]`
  }

  #foundWithRelated(
    { rows, single }: Found,
    related: readonly Record<string, unknown>[],
    serialize: SerializeRow
  ): string {
    const texts = rows.map((row, index) => this.#withRelated(serialize(row, true), related[index]))
    return single ? (texts[0] ?? 'null') : `[${texts.join(',')}]`
  }

  #withRelated(text: string, related: Record<string, unknown> | undefined): string {
    const parts = Object.entries(related ?? {}).map(([name, value]) => `${JSON.stringify(name)}:${this.#nested(value)}`)
    if (parts.length === 0) return text
    return `${text.slice(0, -1)}${text === '{}' ? '' : ','}${parts.join(',')}}`
  }

  #record(record: Model, nested: boolean): string {
    const serializers = this.#of(typeOf(record))
    return this.#withRelated((nested ? serializers.nested : serializers.whole)(record, false), stateOf(record).related)
  }

  #nested(value: unknown): string {
    if (value instanceof Model) return this.#record(value, true)
    if (Array.isArray(value)) return `[${value.map((item) => this.#nested(item)).join(',')}]`
    return JSON.stringify(value) ?? 'null'
  }

  /** A result as plain data, for XML. */
  toPlain(value: unknown): unknown {
    if (value instanceof Found || value instanceof Model) return JSON.parse(this.toJson(value) ?? 'null')
    if (Array.isArray(value)) return value.map((item) => this.toPlain(item))
    return value
  }
}
