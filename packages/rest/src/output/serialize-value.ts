import { Model } from '@modelwire/core'
import type { Row, AnswerBounds, ModelType } from '@modelwire/core/connector'
import { Records, stateOf, typeOf } from '@modelwire/core/plugin'
import { checkRecords, checkBytes } from './answer-size.ts'
import { compileSerializer, type SerializeRow } from './compile-serializer.ts'
import { setImmediate } from 'node:timers/promises'

/** A text being written. It pauses where others may take their turn, and finally returns the text. */
type Writing<Text> = Generator<undefined, Text, undefined>

/** Characters that are written in one go: less than a millisecond of work. */
const charactersAtOnce = 128 * 1024

/** Decides when to yield to other work, and throws where a text exceeds its bounds. One for each text. */
class Pace {
  readonly #bounds: AnswerBounds | undefined
  #written = 0
  #length = 0

  constructor(bounds: AnswerBounds | undefined) {
    this.#bounds = bounds
  }

  /**
   * True where it is time to stop for others.
   * @param text a list so far, or one within it
   * @throws {AnswerTooLarge} it has too many bytes already
   */
  isDue(text: string): boolean {
    if (this.#bounds !== undefined && text.length > this.#bounds.bytes) checkBytes(text, this.#bounds)
    this.#written += Math.max(0, text.length - this.#length)
    this.#length = text.length
    if (this.#written < charactersAtOnce) return false
    this.#written = 0
    return true
  }
}

/** Serializers of one model: the default ones, and those for selected fields, of which a limited number is cached. */
interface ModelSerializers {
  readonly whole: SerializeRow
  readonly nested: SerializeRow
  readonly byFields: Map<string, SerializeRow>
}

const keptPerModel = 50

/** A row without the values in whose place related ones of the same name stand. */
function withoutReplaced({ byName }: ModelType, row: Readonly<Row>, related: Readonly<Record<string, unknown>>): Row {
  const replaced = Object.keys(related).filter((name) => byName.has(name))
  if (replaced.length === 0) return row
  return Object.fromEntries(Object.entries(row).filter(([name]) => !replaced.includes(name)))
}

/** Converts results to JSON texts. One per mounted `rest`. */
export class Serializers {
  readonly #models = new Map<ModelType, ModelSerializers>()

  #of(model: ModelType): ModelSerializers {
    const cached = this.#models.get(model)
    if (cached !== undefined) return cached
    const made = {
      whole: compileSerializer(model),
      nested: compileSerializer(model, { nested: true }),
      byFields: new Map()
    }
    this.#models.set(model, made)
    return made
  }

  #serializerOf(model: ModelType, fields: ReadonlySet<string> | undefined, nested: boolean): SerializeRow {
    return fields === undefined ? this.#of(model)[nested ? 'nested' : 'whole'] : this.#forFields(model, fields, nested)
  }

  #forFields(model: ModelType, fields: ReadonlySet<string>, nested: boolean): SerializeRow {
    const { byFields } = this.#of(model)
    const key = JSON.stringify([nested, ...[...fields].toSorted()])
    const serialize = byFields.get(key) ?? compileSerializer(model, { fields, nested })
    byFields.delete(key)
    byFields.set(key, serialize)
    if (byFields.size > keptPerModel) byFields.delete(byFields.keys().next().value ?? '')
    return serialize
  }

  /**
   * The JSON text of any result; undefined for undefined.
   * @param bounds of the answer; absent: none
   * @throws {AnswerTooLarge} there are more records in it, or it is longer; it is not written to its end then
   */
  toJson(value: unknown, bounds?: AnswerBounds): string | undefined {
    return finishAtOnce(this.#write(value, bounds))
  }

  /** Like `toJson`, but other requests are served while a long text is written. */
  async toJsonInParts(value: unknown, bounds: AnswerBounds | undefined): Promise<string | undefined> {
    const writing = this.#write(value, bounds)
    let step = writing.next()
    while (step.done !== true) {
      await setImmediate()
      step = writing.next()
    }
    return step.value
  }

  *#write(value: unknown, bounds: AnswerBounds | undefined): Writing<string | undefined> {
    if (bounds !== undefined) checkRecords(value, bounds)
    const pace = new Pace(bounds)
    if (value instanceof Records) return yield* this.#records(value, false, pace)
    if (value instanceof Model) return yield* this.#record(value, false, pace)
    if (Array.isArray(value) && value.every((item) => item instanceof Model))
      return yield* this.#list(value, false, pace)
    return JSON.stringify(value)
  }

  /** @param nested the rows lie within another record */
  *#records(records: Records, nested: boolean, pace: Pace): Writing<string> {
    const { model, fields, rows, related, single, byInstances } = records
    const serialize = this.#serializerOf(model, fields, nested)
    if (single && rows.length === 0) return related === undefined ? serialize({}, true) : 'null'
    if (byInstances) return yield* this.#instances(records, nested, pace)
    let text = ''
    let at = 0
    for (const row of single ? rows.slice(0, 1) : rows) {
      const beside = related?.[at++]
      const kept = beside === undefined ? row : withoutReplaced(model, row, beside)
      const members = beside && (yield* this.#members(beside, pace))
      text += (text === '' ? '' : ',') + serialize(kept, kept === row, members)
      if (pace.isDue(text)) yield
    }
    return single ? text : `[${text}]`
  }

  *#instances(records: Records, nested: boolean, pace: Pace): Writing<string> {
    const first = records.single ? records.first() : undefined
    return yield* first === undefined
      ? this.#list(records.instances(), nested, pace)
      : this.#record(first, nested, pace)
  }

  /** Related values as JSON members; undefined if there are none. */
  *#members(related: Record<string, unknown> | undefined, pace: Pace): Writing<string | undefined> {
    let text: string | undefined
    for (const name in related) {
      const member = `${JSON.stringify(name)}:${yield* this.#nested(related[name], pace)}`
      text = text === undefined ? member : `${text},${member}`
    }
    return text
  }

  *#record(record: Model, nested: boolean, pace: Pace): Writing<string> {
    const { related, readable } = stateOf(record)
    const members = related && (yield* this.#members(related, pace))
    const model = typeOf(record)
    const kept = related === undefined ? record : withoutReplaced(model, record, related)
    return this.#serializerOf(model, readable, nested)(kept, false, members)
  }

  *#list(items: readonly unknown[], nested: boolean, pace: Pace): Writing<string> {
    let text = ''
    for (const item of items) {
      const written = item instanceof Model && !nested ? this.#record(item, false, pace) : this.#nested(item, pace)
      text += (text === '' ? '' : ',') + (yield* written)
      if (pace.isDue(text)) yield
    }
    return `[${text}]`
  }

  *#nested(value: unknown, pace: Pace): Writing<string> {
    if (value instanceof Records) return yield* this.#records(value, true, pace)
    if (value instanceof Model) return yield* this.#record(value, true, pace)
    if (Array.isArray(value)) return yield* this.#list(value, true, pace)
    return JSON.stringify(value) ?? 'null'
  }

  /** A result as plain data, for XML. @throws {AnswerTooLarge} as `toJson` does */
  toPlain(value: unknown, bounds?: AnswerBounds): unknown {
    if (bounds !== undefined) checkRecords(value, bounds)
    if (value instanceof Records || value instanceof Model) return JSON.parse(this.toJson(value, bounds) ?? 'null')
    if (Array.isArray(value)) return value.map((item) => this.toPlain(item, bounds))
    return value
  }
}

/** Writes a text to its end. */
function finishAtOnce<Text>(writing: Writing<Text>): Text {
  let step = writing.next()
  while (step.done !== true) step = writing.next()
  return step.value
}
