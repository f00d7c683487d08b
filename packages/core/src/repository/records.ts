import type { Row } from '../contract/row.ts'
import { bothFields } from '../filter/restriction.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { toInstance } from './to-instance.ts'

/** What a read gives of records. */
export interface RecordParts {
  /** As they are shown: with the defaults that they lack, and as observers of `loaded` left them. */
  readonly rows: readonly Row[]
  /** As they are stored, where that differs: relations find each other by these. */
  readonly stored?: readonly Row[] | undefined
  /** Names of the properties that were selected for; absent: all. */
  readonly selected?: ReadonlySet<string> | undefined
  /** Names of the properties that JSON may show a client; absent: all that are not hidden. Code sees the others, too. */
  readonly readable?: ReadonlySet<string> | undefined
  /** One object of related values per row. */
  readonly related?: readonly Record<string, unknown>[] | undefined
  /** Code of the application may change what is read: instances are shown, not rows. */
  readonly byInstances?: boolean
}

/**
 * Records that were read: rows, with what is shown of them and what they include. Stored objects are neither copied nor
 * changed; related records lie beside them. Instances are made on demand.
 */
export class Records {
  readonly model: ModelType
  readonly rows: readonly Row[]
  readonly stored: readonly Row[]
  readonly selected: ReadonlySet<string> | undefined
  /** Names that JSON shows; undefined: all that are not hidden. */
  readonly fields: ReadonlySet<string> | undefined
  readonly related: readonly Record<string, unknown>[] | undefined
  readonly byInstances: boolean
  /** The first row alone is meant. */
  readonly single: boolean
  readonly #parts: RecordParts
  #instances: (() => readonly ModelInstance[]) | undefined

  constructor(model: ModelType, parts: RecordParts, single = false) {
    const { rows, stored = rows, selected, readable, related, byInstances = false } = parts
    this.#parts = parts
    this.model = model
    this.rows = rows
    this.stored = stored
    this.selected = selected
    this.fields = readable === undefined ? selected : bothFields(selected, readable)
    this.related = related
    this.byInstances = byInstances
    this.single = single
  }

  /** A copy with some parts replaced. */
  with(parts: Partial<RecordParts>, single = this.single): Records {
    return new Records(this.model, { ...this.#parts, ...parts }, single)
  }

  /** Those at `positions`, in that order; one may come twice. They share their instances with these. */
  pick(positions: readonly number[], single = false): Records {
    const at = (rows: readonly Row[]): Row[] => positions.map((position) => rows[position] ?? {})
    const rows = at(this.rows)
    const stored = this.stored === this.rows ? rows : at(this.stored)
    const picked = this.with({ rows, stored, related: this.related && at(this.related) }, single)
    picked.#instances = () => positions.flatMap((position) => this.instances()[position] ?? [])
    return picked
  }

  /** The records as instances, which belong to the caller: each call gives the same ones. */
  instances(): readonly ModelInstance[] {
    const make = this.#instances
    const made = make === undefined ? this.rows.map((_, at) => this.#instanceAt(at)) : make()
    this.#instances = () => made
    return made
  }

  /** The first record as an instance; undefined where there is none. */
  first(): ModelInstance | undefined {
    return this.instances()[0]
  }

  #instanceAt(at: number): ModelInstance {
    const { selected: fields, readable } = this.#parts
    const beside = this.related?.[at]
    const related = beside && Object.fromEntries(Object.entries(beside).map(([name, value]) => [name, toValue(value)]))
    return toInstance(this.model, this.rows[at] ?? {}, { fields, related, readable })
  }
}

/** What code sees of a value: records as instances, everything else as it is. */
export function toValue(value: unknown): unknown {
  if (!(value instanceof Records)) return value
  return value.single ? (value.first() ?? null) : [...value.instances()]
}
