import type { Congo, StoredDocument } from './load-congo.ts'

/** Whether a document matches. */
export type MatchDocument = (document: StoredDocument) => boolean

const itemMatch = '$modelwireItemMatch'
const logical: ReadonlySet<string | undefined> = new Set(['$and', '$or', '$nor'])

/**
 * Makes the test of a query document. mingo tests a text or number of a list as if it were each of its own parts; to MongoDB it has
 * none, and an `$elemMatch` of parts finds objects alone.
 */
export function compileQuery({ mingo }: Pick<Congo, 'mingo'>, query: object, ignoresCase = false): MatchDocument {
  const context = mingo.Context.init({
    query: {
      [itemMatch]: (path: string, criteria: object) => {
        const found = new mingo.Query(criteria, { context })
        return (document: StoredDocument) =>
          listsAt(document, path.split('.')).some((list) => list.some((item) => isObject(item) && found.test(item)))
      }
    }
  })
  const found = new mingo.Query(Object(rewrite(ignoresCase ? inAnyCase(query) : query)), { context })
  return (document) => found.test(document)
}

const isObject = (value: unknown): value is StoredDocument =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Date || value instanceof RegExp) &&
  !('_bsontype' in value)

const equalities: ReadonlyMap<string, string> = new Map([
  ['$eq', '$in'],
  ['$ne', '$nin'],
  ['$in', '$in'],
  ['$nin', '$nin']
])

/** A query of texts in any case: expressions are compared as they are, as MongoDB does. */
function inAnyCase(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inAnyCase)
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      const among = equalities.get(name)
      if (among !== undefined) return [among, [value].flat().flatMap(casesOf)]
      return name.startsWith('$') || typeof value !== 'string'
        ? [name, inAnyCase(value)]
        : [name, { $in: casesOf(value) }]
    })
  )
}

/** Texts of the tests are short. */
function casesOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'string') return [value]
  let cases = ['']
  for (const sign of value)
    cases = cases.flatMap((begun) => [...new Set([sign.toLowerCase(), sign.toUpperCase()])].map((each) => begun + each))
  return cases
}

function rewrite(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(rewrite)
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [isOfParts(name, value) ? itemMatch : name, rewrite(value)])
  )
}

function isOfParts(name: string, value: unknown): boolean {
  if (name !== '$elemMatch' || !isObject(value)) return false
  const [first] = Object.keys(value)
  return first?.startsWith('$') !== true || logical.has(first)
}

function listsAt(value: unknown, [step, ...below]: readonly string[]): readonly (readonly unknown[])[] {
  if (step === undefined) return Array.isArray(value) ? [value] : []
  if (Array.isArray(value) && !/^\d+$/.test(step)) return value.flatMap((item) => listsAt(item, [step, ...below]))
  return typeof value === 'object' && value !== null ? listsAt(Reflect.get(value, step), below) : []
}
