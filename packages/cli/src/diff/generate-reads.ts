import type { ModelRegistry } from '@modelwire/core'
import { isComposite, keyTextOf, type ModelType } from '@modelwire/core/connector'
import type { Answer } from './compare.ts'
import type { ModelPlace } from './group-outcomes.ts'
import { parseJson, type Request } from './traffic.ts'
import type { OnAnswer } from './run-diff.ts'

type Row = Readonly<Record<string, unknown>>

const get = (path: string, query = ''): Request => ({ method: 'GET', path: path + query, headers: {} })

const withFilter = (path: string, filter: object): Request =>
  get(path, `?filter=${encodeURIComponent(JSON.stringify(filter))}`)

function rowsOf({ status, text }: Answer): readonly Row[] {
  const value = status === 200 ? parseJson(text) : undefined
  // Objects of JSON have their members by name.
  return Array.isArray(value) ? (value.filter((row) => typeof row === 'object' && row !== null) as Row[]) : []
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** Reads that need no record: lists, counts, orders, and what clients get wrong. */
function readsOfModel(model: ModelType, path: string): Request[] {
  const shown = model.properties.filter(({ name }) => !model.hidden.has(name)).map(({ name }) => name)
  return [
    get(path, '?filter[limit]=10'),
    get(`${path}/count`),
    get(`${path}/findOne`),
    get(`${path}/no-such-id`),
    get(`${path}/no-such-id/exists`),
    get(path, '?filter=nonsense'),
    get(path, '?filter[where][or]=1'),
    withFilter(path, { limit: 2, skip: 1 }),
    ...shown.flatMap((name) => [
      withFilter(path, { order: `${name} ASC`, limit: 5 }),
      withFilter(path, { order: [`${name} DESC`], limit: 5 }),
      withFilter(path, { fields: [name], limit: 2 })
    ])
  ]
}

/** Reads around one record: itself, what is related, and filters by its values. */
function readsOfRow(model: ModelType, path: string, row: Row): Request[] {
  const id = row[model.idProperty?.name ?? 'id']
  const single = isScalar(id) ? encodeURIComponent(String(id)) : undefined
  const key = isComposite(model) ? keyTextOf(model, row) : single
  const relations = [...model.relations.keys()]
  const byValue = Object.entries(row)
    .filter(([, value]) => isScalar(value))
    .flatMap(([name, value]) => [
      withFilter(path, { where: { [name]: value }, limit: 5 }),
      withFilter(path, { where: { [name]: { neq: value } }, limit: 5 }),
      withFilter(path, { where: { [name]: { gt: value } }, limit: 5 }),
      get(`${path}/count`, `?where=${encodeURIComponent(JSON.stringify({ [name]: { inq: [value] } }))}`)
    ])
  const related = relations.map((name) => withFilter(path, { include: name, limit: 5 }))
  if (key === undefined) return [...byValue, ...related]
  const below = relations.flatMap((name) => [get(`${path}/${key}/${name}`), get(`${path}/${key}/${name}/count`)])
  const own = [get(`${path}/${key}`), get(`${path}/${key}/exists`), { ...get(`${path}/${key}`), method: 'HEAD' }]
  return [...own, ...below, ...related, ...byValue]
}

/** Generated reads, and the function that records responses. */
export interface GeneratedReads {
  readonly requests: Iterable<Request>
  readonly onAnswer: OnAnswer
  /** Where the models are served. */
  readonly places: readonly ModelPlace[]
}

/**
 * Generates safe reads of every public model below these roots: nothing is changed. Reads of single records use ids that
 * the old server lists.
 */
export function generateReads(registry: ModelRegistry, roots: readonly string[]): GeneratedReads {
  const lists = new Map<string, readonly Row[]>()
  const models = registry
    .names()
    .map((name) => registry.typeOf(name))
    .filter(({ definition, persisted }) => definition.public === true && persisted)
  const places = roots.flatMap((root) =>
    models.map((model) => ({ model, path: `${root === '/' ? '' : root}/${model.httpPath}` }))
  )
  function* requests(): Iterable<Request> {
    for (const { model, path } of places) {
      yield* readsOfModel(model, path)
      const rows = lists.get(`${path}?filter[limit]=10`) ?? []
      yield* rows.slice(0, 2).flatMap((row) => readsOfRow(model, path, row))
    }
  }
  const named = places.map(({ model, path }) => ({ model: model.name, path }))
  return {
    places: named,
    requests: requests(),
    onAnswer: (request, answer) => void lists.set(request.path, rowsOf(answer))
  }
}
