import type { AccessQuestion } from '../contract/access-control.ts'
import type { Call } from '../contract/call.ts'
import type { JsonQuery, JsonShape } from '../contract/json-query.ts'
import { ApiError } from '../errors.ts'
import type { Filter } from '../contract/condition.ts'
import { embeddedModel } from '../model/embedded-model.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { PropertyType } from '../types/property-type.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import { includesNothing } from './load-related.ts'

/** What is asked for of records, besides which ones. */
export interface JsonRequest {
  readonly model: ModelType
  readonly fields: ReadonlySet<string> | undefined
  readonly include: unknown
  readonly call: Call
  /** The records lie within others. */
  readonly nested: boolean
}

/**
 * What the text of records holds, as their serializer writes them; undefined where a database cannot know it: records
 * embedded in others, related records that have to be read.
 */
export function jsonShape(request: JsonRequest): JsonShape | undefined {
  const { model, fields, include, call } = request
  const related = includesNothing(include)
    ? []
    : model.registry.includeLoader?.plan?.({ model, include, fields, call, restriction: undefined })
  const properties = shownProperties(request)
  if (related === undefined || properties === undefined) return undefined
  return { properties, undeclared: showsUndeclared(model, fields), related }
}

function showsUndeclared(model: ModelType, fields: ReadonlySet<string> | undefined): boolean {
  return !model.strict && (fields === undefined || [...fields].some((name) => !model.byName.has(name)))
}

function shownProperties({
  model,
  fields,
  nested
}: Pick<JsonRequest, 'model' | 'fields' | 'nested'>): JsonShape['properties'] | undefined {
  const isHidden = (name: string): boolean => model.hidden.has(name) || (nested && model.protected.has(name))
  const shown = model.properties.filter(({ name }) => !isHidden(name) && fields?.has(name) !== false)
  const isRead = ({ name }: PropertyType): boolean => embeddedModel(model, name) !== undefined
  return shown.some(isRead) ? undefined : shown
}

// A filter whose text `rest` keeps is compiled once; so is what its answer holds.
const planned = new WeakMap<Filter, Plan>()

/** The query that gives a text, and the records of other models in it. */
interface Plan {
  readonly single: boolean
  /** Undefined where the records have to be read. */
  readonly query: JsonQuery | undefined
  readonly shown: readonly ShownRecords[]
}

/** Records of a model that lie in a text, and the method that reads such records by themselves. */
type ShownRecords = Pick<AccessQuestion, 'model' | 'method'>

const recordsWithin = ({ related }: JsonShape): ShownRecords[] =>
  related.flatMap(({ model, through, many, shape }) => [
    { model, method: many ? 'find' : 'findById' },
    ...(through === undefined ? [] : [{ model: through.model, method: 'find' }]),
    ...recordsWithin(shape)
  ])

function planText(model: ModelType, filter: Filter, call: Call, single: boolean): Plan {
  const cached = planned.get(filter)
  if (cached !== undefined && cached.single === single) return cached
  const shape = answerShape(model, filter, call)
  const plan = {
    single,
    query: shape && { filter, shape, single },
    shown: shape === undefined ? [] : recordsWithin(shape)
  }
  planned.set(filter, plan)
  return plan
}

function answerShape(model: ModelType, { fields, include }: Filter, call: Call): JsonShape | undefined {
  try {
    const shape = jsonShape({ model, fields, include, call, nested: false })
    // Relations that may not be included are left out: nothing may remain.
    return shape?.related.length === 0 ? undefined : shape
  } catch (error) {
    // An invalid include is only reported where there are records.
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** True where the client may see all records in a text: they are not narrowed one by one. */
function isOpen({ registry }: ModelType, shown: readonly ShownRecords[], { client }: Call): Awaitable<boolean> {
  if (client === undefined || shown.length === 0) return true
  const questions = shown.map((records) => ({ ...records, client, purpose: 'include' as const }))
  return registry.accessControl?.isOpen(questions) ?? true
}

const needsRows = ({ hooks }: ModelType): boolean => hooks.has('loaded') || hooks.requiresInstances

const isUnobserved = (model: ModelType): boolean => !needsRows(model) && !model.hooks.has('access')

/** Observers may come at any time; those of the outer records are checked before. */
const isUnobservedBelow = ({ related }: JsonShape): boolean =>
  related.every(
    ({ model, through, shape }) =>
      isUnobserved(model) && (through === undefined || isUnobserved(through.model)) && isUnobservedBelow(shape)
  )

/** The JSON text of the records of a filter that includes others; undefined where they have to be read, null where `single` finds none. */
export function readText(
  model: ModelType,
  filter: Filter,
  call: Call,
  single: boolean
): Awaitable<string | null | undefined> {
  const { collection, dataSource } = model
  if (collection?.findJson === undefined || needsRows(model)) return undefined
  if (dataSource?.connector.capabilities.operations.has('findJson') !== true) return undefined
  const { query, shown } = planText(model, filter, call, single)
  if (query === undefined || !isUnobservedBelow(query.shape)) return undefined
  return andThen(isOpen(model, shown, call), (isShown) => (isShown ? collection.findJson?.(query, call) : undefined))
}
