import type { Congo, StoredDocument } from './load-congo.ts'

/** Whether a document matches. */
export type MatchDocument = (document: StoredDocument) => boolean

const itemMatch = '$modelwireItemMatch'
const logical: ReadonlySet<string | undefined> = new Set(['$and', '$or', '$nor'])

/**
 * Makes the test of a query document. mingo tests a text or number of a list as if it were each of its own parts; to MongoDB it has
 * none, and an `$elemMatch` of parts finds objects alone.
 */
export function compileQuery({ mingo }: Pick<Congo, 'mingo'>, query: object): MatchDocument {
  const context = mingo.Context.init({
    query: {
      [itemMatch]: (path: string, criteria: object) => {
        const found = new mingo.Query(criteria, { context })
        return (document: StoredDocument) =>
          listsAt(document, path.split('.')).some((list) => list.some((item) => isObject(item) && found.test(item)))
      }
    }
  })
  const found = new mingo.Query(Object(rewrite(query)), { context })
  return (document) => found.test(document)
}

const isObject = (value: unknown): value is StoredDocument =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Date || value instanceof RegExp) &&
  !('_bsontype' in value)

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
