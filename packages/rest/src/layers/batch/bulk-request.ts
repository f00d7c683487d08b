import { idInPath, type MountedRoute, type Operation } from '@modelwire/core/plugin'
import { isComposite, keyTextOf, type ModelType } from '@modelwire/core/connector'
import { type TSchema, Type } from '@sinclair/typebox'
import type { BatchAnswer } from './run-batch.ts'
import { type Batch, type BatchRequest, checkBody } from './batch-request.ts'
import { InvalidBatch } from '../../errors.ts'

/** What can be done to many records of a model, in the order in which it is done. */
const bulkVerbs = ['create', 'update', 'upsert', 'delete'] as const

/** One of them. */
export type BulkVerb = (typeof bulkVerbs)[number]

/** The routes that create, change and delete one record of a model; absent if there is none. */
export type BulkRoutes = Partial<Record<BulkVerb, MountedRoute>>

const isStanding = ({ effect }: Operation): boolean => effect.relation === undefined && effect.subject === 'record'

/** The effects by which operations are known. */
const effects: Readonly<Record<BulkVerb, (operation: Operation, verb: string) => boolean>> = {
  create: ({ effect }) => effect.verb === 'create',
  update: ({ effect }, verb) => effect.verb === 'patch' && effect.idIn === 'path' && verb === 'PATCH',
  upsert: ({ effect }, verb) => effect.verb === 'upsert' && effect.whole !== true && verb === 'PATCH',
  delete: ({ effect }, verb) => effect.verb === 'delete' && effect.idIn === 'path' && verb === 'DELETE'
}

/** Finds the routes that write single records of a model. */
export function bulkRoutes(model: ModelType, routes: readonly MountedRoute[]): BulkRoutes {
  const own = routes.filter(({ operation }) => operation.model === model && isStanding(operation))
  const found = bulkVerbs.map((name) => [name, own.find(({ operation, verb }) => effects[name](operation, verb))])
  return Object.fromEntries(found.filter(([, route]) => route !== undefined)) as BulkRoutes // the names above
}

const listOf = (item: TSchema, limit: number) => Type.Optional(Type.Array(item, { maxItems: limit }))

const bulkSchema = (limit: number) => {
  const records = listOf(Type.Record(Type.String(), Type.Unknown()), limit)
  const ids = listOf(Type.Union([Type.String({ minLength: 1 }), Type.Number()]), limit)
  return Type.Object(
    { atomic: Type.Optional(Type.Boolean()), create: records, update: records, upsert: records, delete: ids },
    { additionalProperties: false }
  )
}

/** The context for reading a bulk request. */
export interface BulkReading {
  readonly model: ModelType
  readonly routes: BulkRoutes
  readonly limit: number
}

const inPath = ({ path }: MountedRoute, { model }: BulkReading, id: unknown): string =>
  path.replace(':id', () => idInPath(model, id))

/** The request that changes one record, which holds its id. */
function updateOf(route: MountedRoute, record: Readonly<Record<string, unknown>>, reading: BulkReading) {
  const { model } = reading
  const names = model.idProperty === undefined ? ['id'] : model.keyNames
  const id = isComposite(model) ? keyTextOf(model, record) : record[names[0] ?? 'id']
  const changes = Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
  if ((typeof id !== 'string' || id === '') && typeof id !== 'number')
    throw new InvalidBatch(`a record to update needs its ${names.join(' and ')}, a string or a number`)
  return { method: 'PATCH' as const, url: inPath(route, reading, id), body: changes }
}

type Writing = Pick<BatchRequest, 'method' | 'url' | 'body'>

/** The request that writes one record alone. */
const writings: Readonly<
  Record<BulkVerb, (route: MountedRoute, item: Readonly<Record<string, unknown>>, reading: BulkReading) => Writing>
> = {
  create: ({ path }, body) => ({ method: 'POST', url: path, body }),
  update: updateOf,
  upsert: ({ path }, body) => ({ method: 'PATCH', url: path, body }),
  delete: (route, { id }, reading) => ({ method: 'DELETE', url: inPath(route, reading, id) })
}

/** The requests that one member of the body stands for. */
function requestsOf(verb: BulkVerb, items: readonly unknown[], reading: BulkReading): Omit<BatchRequest, 'headers'>[] {
  const route = reading.routes[verb]
  if (items.length === 0) return []
  if (route === undefined) throw new InvalidBatch(`${reading.model.name} has no method to ${verb} records`)
  return items.map((item, index) => {
    const record = verb === 'delete' ? { id: item } : (item as Record<string, unknown>) // as the schema says
    return { id: `${verb}.${index}`, ...writings[verb](route, record, reading) }
  })
}

/**
 * Makes the function that reads a bulk body, and makes a single-record request for each record. It takes the header
 * `Prefer` of all of them, and throws {@link InvalidBatch} if the body is malformed, empty or too long, or a record to
 * update has no id.
 */
export function bulkReader(reading: BulkReading): (body: unknown, prefer: string | undefined) => Batch {
  const schema = bulkSchema(reading.limit)
  return (input, prefer) => {
    const body = checkBody(schema, input)
    const bare = bulkVerbs.flatMap((verb) => requestsOf(verb, body[verb] ?? [], reading))
    if (bare.length === 0) throw new InvalidBatch(`the body must have one of ${bulkVerbs.join(', ')}`)
    if (bare.length > reading.limit) throw new InvalidBatch(`the body has more than ${reading.limit} records`)
    const headers = prefer === undefined ? {} : { prefer }
    return { atomic: body.atomic ?? false, requests: bare.map((each) => ({ ...each, headers })) }
  }
}

/** The responses in the order of the body, grouped by its members. */
export function groupAnswers(answers: readonly BatchAnswer[]): Partial<Record<BulkVerb, BatchAnswer[]>> {
  const present = bulkVerbs.map((verb) => [verb, answers.filter(({ id }) => id.startsWith(`${verb}.`))] as const)
  return Object.fromEntries(present.filter(([, list]) => list.length > 0))
}
