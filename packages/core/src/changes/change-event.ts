import type { Row } from '../contract/row.ts'
import { logicalKeys } from '../filter/related-conditions.ts'
import { bothFields } from '../filter/restriction.ts'
import { hideWithin } from '../model/embedded-model.ts'
import { isComposite, keyTextOf } from '../model/composite-key.ts'
import { BareModel } from '../contract/model-instance.ts'
import { plainCopy } from '../model/plain-copy.ts'
import { clonePlain, isPlainObject, setOwn } from '@modelwire/server'
import type { ModelType } from '../contract/model-type.ts'
import type { Change, ChangeKind } from '../contract/change-log.ts'
import { unseenIn } from '../filter/unseen-path.ts'
import { operators } from '../operators/index.ts'
import { compileCoercion } from '../types/coerce-value.ts'
import { Unusable } from '../values/unusable.ts'

/** A copy: events wait for their readers, while writers go on with what they stored. */
const copyOf = (model: ModelType, row: Row): Row =>
  row instanceof BareModel ? plainCopy(model, row, { hidesHidden: false }) : { ...clonePlain(row) }

/** `id` where a model has none. */
const idNames = (model: ModelType): readonly string[] => (model.idProperty === undefined ? ['id'] : model.keyNames)

const isId = (value: unknown): boolean => Boolean(value) || value === 0

/** The id that an event is about: that of its data, else the id in its condition. */
function targetOf(model: ModelType, data: Row | undefined, where: unknown): unknown {
  const name = model.idProperty?.name ?? 'id'
  const idIn = (part: Readonly<Row> | undefined): unknown =>
    part && (isComposite(model) ? keyTextOf(model, part) : part[name])
  return [idIn(data), isPlainObject(where) ? (idIn(where) ?? where[name]) : undefined].find(isId)
}

/** True where a condition is only about properties of a set. */
function namesAlone(where: unknown, names: ReadonlySet<string>): boolean {
  if (Array.isArray(where)) return where.every((part: unknown) => namesAlone(part, names))
  if (!isPlainObject(where)) return true
  return Object.entries(where).every(([key, value]) =>
    logicalKeys.has(key) ? namesAlone(value, names) : names.has(key.split('.')[0] ?? key)
  )
}

// Sets of names outlive events, and are not changed.
const textsOfNames = new WeakMap<ReadonlySet<string>, string>()

/** A text that is equal for sets of the same names. */
function textOfNames(names: ReadonlySet<string>): string {
  const text = textsOfNames.get(names) ?? JSON.stringify([...names].toSorted())
  textsOfNames.set(names, text)
  return text
}

/** The facts of an event. */
type EventFacts = Pick<ChangeEvent, 'number' | 'position' | 'type' | 'target' | 'where' | 'data' | 'removed'>

/**
 * Makes the event of a change, with a copy of its data.
 * @param number its number among the events of a feed
 */
export function eventOf(model: ModelType, number: number, change: Change): ChangeEvent {
  const { kind: type, after, instance, removed = [], position } = change
  const row = after ?? instance
  const data = row && copyOf(model, row)
  const where = shownWhere(model, change.where)
  return new ChangeEvent(model, { number, position, type, where, data, removed, target: targetOf(model, data, where) })
}

/**
 * One change of a model's records, as sent by change streams. Its JSON is the same as LoopBack 3's; it contains no hidden
 * properties.
 * @see recordings streams/*; LoopBack 3: loopback, lib/persisted-model.js, createChangeStream
 * @example
 * ```ts
 * import { ChangeEvent } from '@modelwire/core'
 *
 * const changes = await app.models.Product.createChangeStream()
 * await app.models.Product.create({ name: 'Chair', price: 60 })
 * for await (const event of changes) {
 *   if (event instanceof ChangeEvent) console.log(event.type, event.target) // create 3
 *   break
 * }
 * ```
 */
export class ChangeEvent {
  /** The name of the model whose records changed: the followed one, or one that extends it. */
  readonly model: string
  /** Increases by one with each event of the followed model, while there are readers. */
  readonly number: number
  /** Its position in the log of its data source; undefined if there is none. */
  readonly position: string | undefined
  readonly type: ChangeKind
  /** The id of the record, or the ids in the condition of an update or deletion of many. */
  readonly target: unknown
  /** The condition of an update of many, or of a deletion, without hidden properties. */
  readonly where: unknown
  /** The stored record, or the changes of an update of many; for a deletion, the instance whose `delete` was called. */
  readonly data: Row | undefined
  /** The records removed by a deletion, for code inside the server: never sent to clients. */
  readonly removed: readonly Row[]
  readonly #model: ModelType
  readonly #fields: ReadonlySet<string> | undefined
  readonly #views = new Map<string, ChangeEvent>()
  #text: string | undefined
  #shown: Record<string, unknown> | undefined

  constructor(model: ModelType, facts: EventFacts, fields?: ReadonlySet<string>) {
    this.#model = model
    this.#fields = fields
    this.model = model.name
    this.number = facts.number
    this.position = facts.position
    this.type = facts.type
    this.target = facts.target
    this.where = facts.where
    this.data = facts.data
    this.removed = facts.removed
  }

  /** A copy of the event with only these properties of its data. Readers with the same `fields` share it. */
  withFields(fields: ReadonlySet<string>): ChangeEvent {
    return this.#viewOf(fields, this.where)
  }

  /** A copy of the event for a client that may not read all properties: neither its data nor its condition contains others. */
  withinReadable(readable: ReadonlySet<string>, fields: ReadonlySet<string> | undefined): ChangeEvent {
    const shown = bothFields(fields, readable) ?? readable
    return this.#viewOf(shown, namesAlone(this.where, readable) ? this.where : undefined)
  }

  #viewOf(fields: ReadonlySet<string>, where: unknown): ChangeEvent {
    const key = `${where === this.where} ${textOfNames(fields)}`
    const { number, position, type, target, data, removed } = this
    const facts = { number, position, type, target, data, removed, where }
    const view = this.#views.get(key) ?? new ChangeEvent(this.#model, facts, fields)
    this.#views.set(key, view)
    return view
  }

  /** The event as clients receive it. */
  toJSON(): { target?: unknown; where?: unknown; data?: Record<string, unknown>; type: ChangeKind } {
    const { target, where, shownData: data, type } = this
    const isTargetShown = target !== undefined && !idNames(this.#model).some((name) => this.#model.hidden.has(name))
    return {
      ...(isTargetShown ? { target } : {}),
      ...(where === undefined ? {} : { where }),
      ...(data === undefined ? {} : { data }),
      type
    }
  }

  /** The JSON text, created once for all readers. */
  toText(): string {
    return (this.#text ??= JSON.stringify(this))
  }

  /** The data as clients may see it. */
  get shownData(): Record<string, unknown> | undefined {
    return (this.#shown ??= this.data && this.#show(this.data))
  }

  #show(row: Row): Record<string, unknown> {
    const model = this.#model
    const shown: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(row)) {
      if (value === undefined || model.hidden.has(key) || this.#fields?.has(key) === false) continue
      setOwn(shown, key, hideWithin(model, key, value))
    }
    return shown
  }
}

/** A value that a property is compared with, in the property's type; what cannot become one stays. */
function converted(model: ModelType, property: string, value: unknown): unknown {
  const declared = model.byName.get(property)
  if (declared === undefined || value === undefined || value === null) return value
  if (Array.isArray(value)) return value.map((item) => converted(model, property, item))
  if (isPlainObject(value)) return withOperators(model, property, value)
  const type = declared.type.kind === 'array' ? declared.type.items : declared.type
  const { readsDatesInZone } = model.registry.rules
  const needs = { findModel: (name: string) => model.registry.find(name)?.properties, readsDatesInZone }
  const usable = type === undefined ? value : compileCoercion(type, needs)(value)
  return usable instanceof Unusable ? value : usable
}

function withOperators(model: ModelType, property: string, written: Readonly<Record<string, unknown>>): unknown {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(written))
    setOwn(shown, name, operators.get(name)?.comparesValues === true ? converted(model, property, value) : value)
  return shown
}

function shownParts(model: ModelType, parts: unknown): unknown {
  return Array.isArray(parts) ? parts.map((part) => shownWhere(model, part)) : parts
}

/**
 * The condition of a change as those who follow changes may see it: with values in the types of their properties, and
 * without conditions on hidden ones.
 * @see LoopBack 3: loopback-datasource-juggler, lib/dao.js, _coerce, read in its answers by hand
 */
function shownWhere(model: ModelType, where: unknown): unknown {
  if (!isPlainObject(where)) return where
  const { and, ...others } = where
  // Relations join the parent's key to the requested condition, which is often empty.
  if (Array.isArray(and) && and.length === 1 && Object.keys(others).length === 0) return shownWhere(model, and[0])
  const shown: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(where)) {
    if (unseenIn(model, key.split('.'), { refusesHidden: true }, true) !== undefined) continue
    setOwn(shown, key, logicalKeys.has(key) ? shownParts(model, value) : converted(model, key, value))
  }
  return shown
}
