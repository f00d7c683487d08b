import type { Product } from '../bench-data.ts'
import type { DatabaseName } from '../databases.ts'
import type { BenchServer } from '../servers/bench-server.ts'
import type { ProductFilter, ProductWhere } from '../servers/handwritten-products.ts'
import type { BenchRequest } from '../workloads.ts'

/** Where a server of another framework finds what it needs. */
export interface OtherSettings {
  readonly rows: number
  /** Where its packages are installed. */
  readonly folder: string
  /** An empty database, where its records are in one. */
  readonly databaseUrl: string
}

/** Another framework that answers the workloads in its own way. */
export interface Other {
  readonly title: string
  /** The packages it consists of, in exact versions; the first one is the framework. */
  readonly packages: Readonly<Record<string, string>>
  /** The version of Node that it needs, from Node's own package; that of the benchmark when absent. */
  readonly node?: string
  /** Where its records are; in its own memory when absent. */
  readonly database?: DatabaseName
  /** What it is asked, and what it leaves out: a sentence or more. */
  readonly told: string
  /** Its own request for the same as one in LoopBack's form; undefined for what it cannot answer. */
  readonly translate: (asked: Asked, request: BenchRequest) => BenchRequest | undefined
  /** The status of an answer to `create`; 200 when absent. */
  readonly created?: number
  /** A record, a list of records, or a count as `{ count }`, of the body of an answer. */
  readonly readAnswer: (body: unknown, asked: Asked) => unknown
  readonly build: (settings: OtherSettings) => Promise<BenchServer>
}

/** What a request of the benchmark asks for, whatever its path looks like. */
export type Asked =
  | { readonly kind: 'read'; readonly id: string }
  | { readonly kind: 'list'; readonly filter: ProductFilter }
  | { readonly kind: 'count'; readonly where: ProductWhere }
  | { readonly kind: 'create'; readonly data: Omit<Product, 'id'> }
  | { readonly kind: 'patch'; readonly id: string; readonly data: Partial<Product> }

/** Reads a request in LoopBack's form. */
export function readAsked({ method, path, body }: BenchRequest): Asked {
  const { pathname, searchParams } = new URL(path, 'http://bench')
  const last = pathname.split('/').at(-1) ?? ''
  const json = (name: string): unknown => JSON.parse(searchParams.get(name) ?? '{}')
  // The workloads make no other requests.
  if (method === 'POST') return { kind: 'create', data: body as Omit<Product, 'id'> }
  if (method === 'PATCH') return { kind: 'patch', id: last, data: body as Partial<Product> }
  if (last === 'count') return { kind: 'count', where: json('where') as ProductWhere }
  if (last === 'Products') return { kind: 'list', filter: json('filter') as ProductFilter }
  return { kind: 'read', id: last }
}

/** The bounds of `price`, where a filter has such. */
export function priceRange({ price }: ProductWhere): readonly [number, number] | undefined {
  return typeof price === 'object' ? price.between : undefined
}
