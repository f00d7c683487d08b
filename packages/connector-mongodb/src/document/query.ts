import { idField } from '../names/read-mapping.ts'
import type { Document } from 'mongodb'

/** The documents that a condition matches. */
export type Query =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  /** `document` is a query document whose values stand behind operators: no value is read as one. */
  | { readonly kind: 'some'; readonly document: Document }

/** Matches every document. */
export const all: Query = { kind: 'all' }

/** Matches no document. */
export const none: Query = { kind: 'none' }

/** Matches the documents that match a query document. */
export const some = (document: Document): Query => ({ kind: 'some', document })

/** Matches the documents that all of the queries match. */
export function allOf(queries: readonly Query[]): Query {
  if (queries.some(({ kind }) => kind === 'none')) return none
  const documents = documentsOf(queries)
  const [first] = documents
  if (first === undefined) return all
  return some(documents.length === 1 ? first : (merged(documents) ?? { $and: documents }))
}

/** One document in place of several, as written by hand; undefined where two have the same field or operator. */
function merged(documents: readonly Document[]): Document | undefined {
  const whole: Document = {}
  let count = 0
  for (const document of documents) {
    Object.assign(whole, document)
    count += Object.keys(document).length
  }
  return Object.keys(whole).length === count ? whole : undefined
}

/** Matches the documents that any of the queries matches. */
export function anyOf(queries: readonly Query[]): Query {
  if (queries.some(({ kind }) => kind === 'all')) return all
  const documents = documentsOf(queries)
  const [first] = documents
  if (first === undefined) return none
  return some(documents.length === 1 ? first : { $or: documents })
}

/** Matches the documents that none of the queries matches. */
export function noneOf(queries: readonly Query[]): Query {
  if (queries.some(({ kind }) => kind === 'all')) return none
  const documents = documentsOf(queries)
  return documents.length === 0 ? all : some({ $nor: documents })
}

function documentsOf(queries: readonly Query[]): readonly Document[] {
  const documents: Document[] = []
  for (const query of queries) if (query.kind === 'some') documents.push(query.document)
  return documents
}

/** The filter document of a command. */
export function queryDocument(query: Query): Document {
  if (query.kind === 'some') return query.document
  return query.kind === 'all' ? {} : { [idField]: { $in: [] } }
}
