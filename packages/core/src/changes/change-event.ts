import type { Row } from '../contract/row.ts'
import { logicalKeys } from '../filter/logical-keys.ts'
import { bothFields } from '../filter/restriction.ts'
import { hideWithin } from '../model/hide-within.ts'
import { BareModel } from '../contract/bare-model.ts'
import { plainCopy } from '../model/plain-copy.ts'
import { clonePlain, isPlainObject, setOwn } from '../values/clone-plain.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Change, ChangeKind } from '../contract/change-bus.ts'
import { shownWhere } from './shown-where.ts'

/** A copy: events wait for their readers, while writers go on with what they stored. */
const copyOf = (model: ModelType, row: Row): Row =>
  row instanceof BareModel ? plainCopy(model, row, { hidesHidden: false }) : { ...clonePlain(row) }

const isId = (value: unknown): boolean => Boolean(value) || value === 0

/** The id that an event is about: that of its data, else the id in its condition. */
function targetOf({ idProperty }: ModelType, data: Row | undefined, where: unknown): unknown {
  const name = idProperty?.name ?? 'id'
  return [data?.[name], isPlainObject(where) ? where[name] : undefined].find(isId)
}

/** True where a condition is about properties of a set alone. */
function namesAlone(where: unknown, names: ReadonlySet<string>): boolean {
  if (Array.isArray(where)) return where.every((part: unknown) => namesAlone(part, names))
  if (!isPlainObject(where)) return true
  return Object.entries(where).every(([key, value]) =>
    logicalKeys.has(key) ? namesAlone(value, names) : names.has(key.split('.')[0] ?? key)
  )
}

/** What an event is made of. */
type EventFacts = Pick<ChangeEvent, 'number' | 'position' | 'type' | 'target' | 'where' | 'data' | 'removed'>

/** Makes the event of a change, with a copy of its data. @param number its number among the events of a feed */
export function eventOf(model: ModelType, number: number, change: Change): ChangeEvent {
  const { kind: type, after, instance, removed = [], position } = change
  const row = after ?? instance
  const data = row && copyOf(model, row)
  const where = shownWhere(model, change.where)
  return new ChangeEvent(model, { number, position, type, where, data, removed, target: targetOf(model, data, where) })
}

/**
 * One change of a model's records, as change streams send it. Its JSON is what LoopBack 3 sends; hidden properties are
 * not part of it.
 * @see recordings streams/*; LoopBack 3: loopback, lib/persisted-model.js, createChangeStream
 */
export class ChangeEvent {
  /** The name of the model whose records changed: the one that is followed, or one that extends it. */
  readonly model: string
  /** Grows by one with each event of the followed model, as long as there are readers. */
  readonly number: number
  /** Where it stands in the log of its data source; undefined where there is none. */
  readonly position: string | undefined
  readonly type: ChangeKind
  /** The id of the record, or the ids in the condition of an update or deletion of many. */
  readonly target: unknown
  /** The condition of an update of many, or of a deletion, without hidden properties. */
  readonly where: unknown
  /** The stored record, or what an update of many changed; of a deletion the instance whose `delete` was called. */
  readonly data: Row | undefined
  /** What a deletion removed, for code inside the server: never sent to clients. */
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

  /**
   * A copy of the event for a client that may not read all properties: neither its data nor its condition names others.
   */
  withinReadable(readable: ReadonlySet<string>, fields: ReadonlySet<string> | undefined): ChangeEvent {
    const shown = bothFields(fields, readable) ?? readable
    return this.#viewOf(shown, namesAlone(this.where, readable) ? this.where : undefined)
  }

  #viewOf(fields: ReadonlySet<string>, where: unknown): ChangeEvent {
    const key = JSON.stringify([where === this.where, ...[...fields].toSorted()])
    const { number, position, type, target, data, removed } = this
    const facts = { number, position, type, target, data, removed, where }
    const view = this.#views.get(key) ?? new ChangeEvent(this.#model, facts, fields)
    this.#views.set(key, view)
    return view
  }

  /** The event as clients receive it. */
  toJSON(): { target?: unknown; where?: unknown; data?: Record<string, unknown>; type: ChangeKind } {
    const { target, where, shownData: data, type } = this
    const isTargetShown = target !== undefined && !this.#model.hidden.has(this.#model.idProperty?.name ?? 'id')
    return {
      ...(isTargetShown ? { target } : {}),
      ...(where === undefined ? {} : { where }),
      ...(data === undefined ? {} : { data }),
      type
    }
  }

  /** The JSON text, made once for all readers. */
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
