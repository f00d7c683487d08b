import type { Row } from '../../contract/row.ts'
import { bothFields } from '../../filter/restriction.ts'
import { type ModelInstance, stateOf } from '../../contract/model-instance.ts'
import type { ModelType } from '../../contract/model-type.ts'
import { stored as asStored } from '../../model/build-instance.ts'
import type { PropertyPlan } from '../../types/property-type.ts'
import { readAny } from '../../types/scalar-coercions.ts'
import { validOrNull } from '../../values/unusable.ts'
import { setOwn } from '@modelwire/server'
import { rememberStored } from './identify.ts'

/** The results of reading records. */
export interface RecordParts {
  /** As shown: including missing defaults, and after observers of `loaded`. */
  readonly rows: readonly Row[]
  /** As stored, if that differs: relations use these. */
  readonly stored?: readonly Row[] | undefined
  /** Names of the selected properties; absent: all. */
  readonly selected?: ReadonlySet<string> | undefined
  /** Names of the properties that JSON may show a client; absent: all that are not hidden. Code also sees the others. */
  readonly readable?: ReadonlySet<string> | undefined
  /** One object of related values per row. */
  readonly related?: readonly Record<string, unknown>[] | undefined
  /** Application code may change the result: instances are shown, not rows. */
  readonly byInstances?: boolean
}

/**
 * Records that were read: rows, their visible properties, and their includes. Stored objects are neither copied nor
 * changed; related records are kept separately. Instances are created on demand.
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
  /** Only the first row counts. */
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

  /** The records at `positions`, in that order, possibly repeated. They share their instances with these. */
  pick(positions: readonly number[], single = false): Records {
    const at = (rows: readonly Row[]): Row[] => positions.map((position) => rows[position] ?? {})
    const rows = at(this.rows)
    const stored = this.stored === this.rows ? rows : at(this.stored)
    const picked = this.with({ rows, stored, related: this.related && at(this.related) }, single)
    picked.#instances = () => positions.flatMap((position) => this.instances()[position] ?? [])
    return picked
  }

  /** The records as instances, which belong to the caller: each call returns the same ones. */
  instances(): readonly ModelInstance[] {
    const make = this.#instances
    const made = make === undefined ? this.rows.map((_, at) => this.#instanceAt(at)) : make()
    this.#instances = () => made
    return made
  }

  /** The first record as an instance; undefined if there is none. */
  first(): ModelInstance | undefined {
    return this.instances()[0]
  }

  #instanceAt(at: number): ModelInstance {
    const { selected: fields, readable } = this.#parts
    const beside = this.related?.[at]
    const related = beside && Object.fromEntries(Object.entries(beside).map(([name, value]) => [name, toValue(value)]))
    return toInstance(this.model, this.rows[at] ?? {}, { fields, related, readable, stored: this.stored[at] })
  }
}

/** A value as code sees it: records as instances, everything else unchanged. */
export function toValue(value: unknown): unknown {
  if (!(value instanceof Records)) return value
  return value.single ? (value.first() ?? null) : [...value.instances()]
}

/** The parts of a row that an instance shows. */
export interface InstanceParts {
  readonly fields?: ReadonlySet<string> | undefined
  readonly related?: Record<string, unknown> | undefined
  /** Names of the properties that its JSON shows; undefined: all that are not hidden. Code also sees the others. */
  readonly readable?: ReadonlySet<string> | undefined
  /** The row as it is stored, if that differs. */
  readonly stored?: Row | undefined
}

/** An instance of a stored row. The row is copied: applications may change the instance. */
export function toInstance(
  model: ModelType,
  row: Row,
  { fields, related, readable, stored = row }: InstanceParts = {}
): ModelInstance {
  const data = fields === undefined ? row : Object.fromEntries(Object.entries(row).filter(([key]) => fields.has(key)))
  const instance = new model.modelClass(data, asStored)
  rememberStored(model, instance, stored)
  if (related !== undefined) stateOf(instance).related = related
  if (readable !== undefined) stateOf(instance).readable = readable
  return instance
}

/**
 * The defaults that a stored row lacks, because it is older than they are; undefined if nothing is missing.
 * `applyDefaultsOnReads: false` of the model leaves such records unchanged, as in LoopBack 3.
 */
function missingDefaults(row: Row, plans: readonly PropertyPlan[], isNew = false): Row | undefined {
  let missing: Row | undefined
  for (const { name, makeDefault, coerce, fillsNull } of plans) {
    const stored = row[name]
    const isMissing = stored === undefined || (stored === null && fillsNull && !isNew)
    const value: unknown = isMissing ? makeDefault?.() : undefined
    if (value !== undefined) setOwn((missing ??= {}), name, value === null ? null : validOrNull(coerce(value)))
  }
  return missing
}

/** The defaults that a new row lacks. LB3: of an upsert only those that reads would show. */
export const defaultsOfNew = (model: ModelType, row: Row): Row | undefined =>
  missingDefaults(row, model.registry.rules.leavesOutUnsent ? model.readDefaults : model.plan, true)

function textsAsJson(model: ModelType, row: Row): Row | undefined {
  if (model.readTexts.length === 0) return undefined
  const texts = model.readTexts.filter((name) => typeof row[name] === 'string')
  return texts.length === 0 ? undefined : Object.fromEntries(texts.map((name) => [name, readAny(row[name])]))
}

/** A row as read; the stored one itself if it is complete. */
export function completeRow(model: ModelType, row: Row): Row {
  const missing = missingDefaults(row, model.readDefaults)
  const read = textsAsJson(model, row)
  return missing === undefined && read === undefined ? row : { ...row, ...missing, ...read }
}

/** True if no row of the model lacks anything, or is read in another form. */
export const isShownAsStored = ({ readDefaults, readTexts }: ModelType): boolean =>
  readDefaults.length === 0 && readTexts.length === 0
