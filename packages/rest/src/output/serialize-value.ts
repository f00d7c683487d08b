import { Found, FoundText, Model, type ModelType, stateOf, typeOf } from '@modelwire/core'
import { compileSerializer, type SerializeRow } from './compile-serializer.ts'

/** Serializers of one model: the usual ones, and those for chosen fields, of which only so many are kept. */
interface ModelSerializers {
  readonly whole: SerializeRow
  readonly nested: SerializeRow
  readonly byFields: Map<string, SerializeRow>
  readonly bySet: WeakMap<ReadonlySet<string>, SerializeRow>
  readonly nestedBySet: WeakMap<ReadonlySet<string>, SerializeRow>
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
      bySet: new WeakMap(),
      nestedBySet: new WeakMap()
    }
    this.#models.set(model, made)
    return made
  }

  #forFields(model: ModelType, fields: ReadonlySet<string>, nested: boolean): SerializeRow {
    const { byFields, bySet, nestedBySet } = this.#of(model)
    const known = (nested ? nestedBySet : bySet).get(fields)
    if (known !== undefined) return known
    const key = JSON.stringify([nested, ...[...fields].toSorted()])
    const serialize = byFields.get(key) ?? compileSerializer(model, { fields, nested })
    byFields.delete(key)
    byFields.set(key, serialize)
    if (byFields.size > keptPerModel) byFields.delete(byFields.keys().next().value ?? '')
    ;(nested ? nestedBySet : bySet).set(fields, serialize)
    return serialize
  }

  /** The JSON text of any result; undefined has none. */
  toJson(value: unknown): string | undefined {
    if (value instanceof Found) return this.#found(value, false)
    if (value instanceof FoundText) return value.text
    if (value instanceof Model) return this.#record(value, false)
    if (Array.isArray(value) && value.every((item) => item instanceof Model))
      return `[${value.map((item) => this.#record(item, false)).join(',')}]`
    return JSON.stringify(value)
  }

  /** @param nested the rows lie within another record */
  #found(found: Found, nested: boolean): string {
    const { model, fields, rows, related } = found
    const whole = nested ? 'nested' : 'whole'
    const serialize = fields === undefined ? this.#of(model)[whole] : this.#forFields(model, fields, nested)
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
    let text = ''
    for (const [index, row] of rows.entries())
      text += (text === '' ? '' : ',') + serialize(row, true, this.#members(related[index]))
    if (single) return text === '' ? 'null' : text
    return `[${text}]`
  }

  /** Related values as JSON members; undefined where there are none. */
  #members(related: Record<string, unknown> | undefined): string | undefined {
    let text: string | undefined
    for (const name in related) {
      const member = `${JSON.stringify(name)}:${this.#nested(related[name])}`
      text = text === undefined ? member : `${text},${member}`
    }
    return text
  }

  #record(record: Model, nested: boolean): string {
    const { whole, nested: nestedIn } = this.#of(typeOf(record))
    return (nested ? nestedIn : whole)(record, false, this.#members(stateOf(record).related))
  }

  #nested(value: unknown): string {
    if (value instanceof Found) return this.#found(value, true)
    if (value instanceof Model) return this.#record(value, true)
    if (Array.isArray(value)) return `[${value.map((item) => this.#nested(item)).join(',')}]`
    return JSON.stringify(value) ?? 'null'
  }

  /** A result as plain data, for XML. */
  toPlain(value: unknown): unknown {
    if (value instanceof Found || value instanceof FoundText || value instanceof Model)
      return JSON.parse(this.toJson(value) ?? 'null')
    if (Array.isArray(value)) return value.map((item) => this.toPlain(item))
    return value
  }
}
