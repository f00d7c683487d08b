import { highestPrice, makeProduct } from './bench-data.ts'
import { createRandom, type Random } from './random.ts'

/** One request of a workload. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  /** Sent as JSON. */
  readonly body?: object
  /** Sent as a form, in place of `body`. */
  readonly form?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What requests are made of. */
export interface RequestSource {
  readonly random: Random
  /** How many products exist. */
  readonly rows: number
  /** The id of the first, second, … product. */
  readonly idOf: (at: number) => string
  /** Which request of the workload this is, from 0. */
  readonly at: number
}

/** One line of the table. To measure something else, add an entry. */
export interface Workload {
  readonly name: string
  readonly title: string
  readonly makeRequest: (source: RequestSource) => BenchRequest
  /** The status of every answer. */
  readonly status: number
  /** The path that other clients open meanwhile, 200 times a second, to leave after some milliseconds. */
  readonly leaves?: string
  /** A database can write the whole answer: a hand-written server that lets it do so takes part. */
  readonly asJson?: boolean
  /** It makes records, whose ids servers may choose at random. */
  readonly makesIds?: boolean
  /** Is measured a second time, against a Modelwire with an index on `price`. */
  readonly gainsByIndex?: boolean
}

const listOf100 = `/api/Products?filter=${asJson({ limit: 100 })}`

/** All workloads, in the order of the table. */
export const workloads: readonly Workload[] = [
  {
    name: 'W1',
    title: 'read by id',
    makeRequest: readById,
    status: 200,
    asJson: true
  },
  {
    name: 'W2',
    title: 'where, order, limit 20',
    makeRequest: ({ random }) =>
      get(`/api/Products?filter=${asJson({ where: priceRange(random), order: 'price DESC', limit: 20 })}`),
    status: 200,
    asJson: true,
    gainsByIndex: true
  },
  {
    name: 'W3',
    title: 'list of 100',
    makeRequest: () => get(listOf100),
    status: 200,
    asJson: true
  },
  {
    name: 'W4',
    title: '20 with their reviews',
    makeRequest: ({ random, rows }) =>
      get(
        `/api/Products?filter=${asJson({ limit: 20, skip: random.integer(Math.min(1000, rows)), include: 'reviews' })}`
      ),
    status: 200,
    asJson: true
  },
  {
    name: 'W5',
    title: 'create',
    makesIds: true,
    makeRequest: ({ random, at }) => ({ method: 'POST', path: '/api/Products', body: makeProduct(random, at) }),
    status: 200
  },
  {
    name: 'W6',
    title: 'patch',
    makeRequest: ({ random, rows, idOf }) => patchStock(1 + random.integer(rows), idOf),
    status: 200
  },
  {
    name: 'W7',
    title: 'count with where',
    makeRequest: ({ random }) => get(`/api/Products/count?where=${asJson(priceRange(random))}`),
    status: 200,
    gainsByIndex: true
  },
  {
    name: 'W8',
    title: '404',
    makeRequest: ({ random, rows, idOf }) => get(`/api/Products/${idOf(100 * rows + random.integer(rows))}`),
    status: 404
  },
  {
    name: 'W9',
    title: 'read by id beside clients that leave',
    makeRequest: readById,
    status: 200,
    leaves: listOf100
  }
]

/** The first `count` requests of a workload, the same ones each time. */
export function makeRequests(
  { makeRequest }: Workload,
  { rows, idOf = String }: Pick<RequestSource, 'rows'> & Partial<Pick<RequestSource, 'idOf'>>,
  count: number
): BenchRequest[] {
  const random = createRandom(3)
  return Array.from({ length: count }, (_, at) => makeRequest({ random, rows, idOf, at }))
}

function readById({ random, rows, idOf }: RequestSource): BenchRequest {
  return get(`/api/Products/${idOf(1 + random.integer(rows))}`)
}

function get(path: string): BenchRequest {
  return { method: 'GET', path }
}

function asJson(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value))
}

/** A tenth of all prices. */
function priceRange(random: Random): object {
  const width = highestPrice / 10
  const low = 1 + random.integer(highestPrice - width)
  return { price: { between: [low, low + width] }, inStock: true }
}

/** The value follows from the product, so that the order in which patches arrive does not matter. */
function patchStock(at: number, idOf: RequestSource['idOf']): BenchRequest {
  return { method: 'PATCH', path: `/api/Products/${idOf(at)}`, body: { stock: (at * 7) % 1000 } }
}
