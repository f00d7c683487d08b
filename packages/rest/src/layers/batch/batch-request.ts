import { isPlainObject } from '@modelwire/server'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { Errors } from '@sinclair/typebox/errors'
import { InvalidBatch } from '../../errors.ts'

const closed = { additionalProperties: false } as const

const atomic = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'all or none: in one transaction, which is rolled back if a request is refused'
  })
)

/** The verbs of a batch. */
const batchVerbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** As HTTP has them. */
const HeaderSchema = Type.String({ pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' })

/** @param ownHeaders the headers that are a request's own; all others are those of the batch */
const requestSchema = (ownHeaders: readonly string[]) =>
  Type.Object(
    {
      id: Type.Optional(
        Type.String({
          pattern: '^[\\w.-]{1,100}$',
          description: 'its name in the response; its index, from 0, by default'
        })
      ),
      method: Type.Union(batchVerbs.map((verb) => Type.Literal(verb))),
      url: Type.String({ pattern: '^/', description: 'path and query, relative to the path of the API' }),
      headers: Type.Optional(
        Type.Partial(Type.Object(Object.fromEntries(ownHeaders.map((name) => [name, HeaderSchema])), closed), closed)
      ),
      body: Type.Optional(Type.Unknown({ description: 'any JSON' }))
    },
    closed
  )

const batchSchema = (limit: number, ownHeaders: readonly string[]) =>
  Type.Object({ atomic, requests: Type.Array(requestSchema(ownHeaders), { minItems: 1, maxItems: limit }) }, closed)

/** One request of a batch. */
export type BatchRequest = Omit<Static<ReturnType<typeof requestSchema>>, 'id'> & { readonly id: string }

/** A batch to execute. */
export interface Batch {
  readonly atomic: boolean
  readonly requests: readonly BatchRequest[]
}

/** @throws {InvalidBatch} the body does not match the schema */
export function checkBody<Schema extends TObject>(schema: Schema, body: unknown): Static<Schema> {
  const problem = Errors(schema, [], body).First()
  // It has just been checked.
  if (problem === undefined) return body as Static<Schema>
  const where = problem.path === '' ? '' : ` at ${problem.path.slice(1).replaceAll('/', '.')}`
  throw new InvalidBatch(`the batch is invalid${where}: ${problem.message}`)
}

/** Header names are read in any case. */
function withLowerNames(body: unknown): unknown {
  if (!isPlainObject(body) || !Array.isArray(body['requests'])) return body
  return { ...body, requests: body['requests'].map(withLowerHeaders) }
}

function withLowerHeaders(request: unknown): unknown {
  if (!isPlainObject(request) || !isPlainObject(request['headers'])) return request
  const headers = Object.entries(request['headers']).map(([name, value]) => [name.toLowerCase(), value])
  return { ...request, headers: Object.fromEntries(headers) as object } // texts as keys
}

/** Reads the bodies of batches. */
export interface BatchReader {
  /** JSON schema of a body, for documents. */
  readonly schema: TObject
  /** @throws {InvalidBatch} the body is malformed, or two requests have the same id */
  readonly read: (body: unknown) => Batch
}

function refuseDoubles(requests: readonly BatchRequest[]): void {
  const ids = new Set<string>()
  for (const { id } of requests) {
    if (ids.has(id)) throw new InvalidBatch(`two requests of the batch have the id ${JSON.stringify(id)}`)
    ids.add(id)
  }
}

/** Makes the reader of batches of at most `limit` requests, each of which may have these headers. */
export function batchReader(limit: number, ownHeaders: readonly string[]): BatchReader {
  const schema = batchSchema(limit, ownHeaders)
  return {
    schema,
    read: (body) => {
      const read = checkBody(schema, withLowerNames(body))
      const requests = read.requests.map((each, index) => ({ ...each, id: each.id ?? String(index) }))
      refuseDoubles(requests)
      return { atomic: read.atomic ?? false, requests }
    }
  }
}
