import type { Row } from '../connector/connector.ts'
import { embeddedModel, hideEmbedded } from '../model/hide-embedded.ts'
import { BareModel } from '../model/bare-model.ts'
import { plainCopy } from '../model/plain-copy.ts'
import { clonePlain, isPlainObject, setOwn } from '../values/clone-plain.ts'
import type { ModelType } from '../model/model-type.ts'
import type { Change, ChangeKind } from './change-bus.ts'
import { shownWhere } from './shown-where.ts'

/** A copy: events wait for their readers, while writers go on with what they stored. */
const copyOf = (model: ModelType, row: Row): Row =>
  row instanceof BareModel ? plainCopy(model, row, { hidesHidden: false }) : { ...clonePlain(row) }

const isId = (value: unknown): boolean => Boolean(value) || value === 0

/** The id that an event is about: that of its data, else what its condition says of the id. */
function targetOf({ idProperty }: ModelType, data: Row | undefined, where: unknown): unknown {
  const name = idProperty?.name ?? 'id'
  return [data?.[name], isPlainObject(where) ? where[name] : undefined].find(isId)
}

/**
 * One change of a model's records, as change streams tell it. Its JSON is what LoopBack 3 sends; hidden properties are no
 * part of it.
 * @see recordings streams/*; LoopBack 3: loopback, lib/persisted-model.js, createChangeStream
 */
export class ChangeEvent {
  /** Grows by one with each event of its model, as long as somebody follows the changes. */
  readonly number: number
  readonly type: ChangeKind
  /** The id of the record, or what the condition of an update or deletion of many says of ids. */
  readonly target: unknown
  /** The condition of an update of many, or of a deletion, without hidden properties. */
  readonly where: unknown
  /** The stored record, or what an update of many changed; of a deletion the record that was told to delete itself. */
  readonly data: Row | undefined
  /** What a deletion removed, for code inside the server: never sent to clients. */
  readonly removed: readonly Row[]
  readonly #model: ModelType
  readonly #fields: ReadonlySet<string> | undefined
  readonly #views = new Map<string, ChangeEvent>()
  #text: string | undefined

  constructor(
    model: ModelType,
    number: number,
    { kind, where, after, instance, removed }: Change,
    fields?: ReadonlySet<string>
  ) {
    const data = after ?? instance
    this.#model = model
    this.#fields = fields
    this.number = number
    this.type = kind
    this.where = shownWhere(model, where)
    this.data = data && copyOf(model, data)
    this.removed = removed ?? []
    this.target = targetOf(model, this.data, this.where)
  }

  /** The same event with these properties of its data alone. Readers who ask for the same share it. */
  withFields(fields: ReadonlySet<string>): ChangeEvent {
    const key = JSON.stringify([...fields].toSorted())
    const known = this.#views.get(key)
    if (known !== undefined) return known
    const { type: kind, where, data: after, removed } = this
    const view = new ChangeEvent(
      this.#model,
      this.number,
      { model: this.#model.name, kind, id: undefined, where, after, removed },
      fields
    )
    Object.assign(view, { target: this.target })
    this.#views.set(key, view)
    return view
  }

  /** What clients are told. */
  toJSON(): { target?: unknown; where?: unknown; data?: Record<string, unknown>; type: ChangeKind } {
    const { target, where, data, type } = this
    return {
      ...(target === undefined ? {} : { target }),
      ...(where === undefined ? {} : { where }),
      ...(data === undefined ? {} : { data: this.#shown(data) }),
      type
    }
  }

  /** The JSON text, made once for all readers. */
  toText(): string {
    return (this.#text ??= JSON.stringify(this))
  }

  #shown(row: Row): Record<string, unknown> {
    const shown: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(row)) {
      if (value === undefined || this.#model.hidden.has(key) || this.#fields?.has(key) === false) continue
      const property = this.#model.byName.get(key)
      const within = property && embeddedModel(this.#model, property.type)
      setOwn(shown, key, within === undefined ? value : hideEmbedded(within, value))
    }
    return shown
  }
}
