import { isDeepStrictEqual } from 'node:util'
import type { Document } from 'mongodb'
import { inShell, type PlannedStep, written } from './planned-step.ts'
import type { WantedIndex } from '../document/wanted-indexes.ts'
import type { CollectionState } from '../client/collection-state.ts'

/** The inputs for planning one collection. */
export interface CollectionPlan {
  readonly steps: readonly PlannedStep[]
  readonly notes: readonly string[]
}

/** What is compared of two indexes: other options are the server's own. */
const compared = ['unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression', 'collation', 'weights'] as const

/**
 * Plans the indexes of a collection that are missing or differ, and with `prune` the removal of unique ones that no model
 * declares.
 */
export function planIndexes(
  collection: string,
  wanted: readonly WantedIndex[],
  { indexes }: CollectionState,
  prune: boolean
): CollectionPlan {
  const steps: PlannedStep[] = []
  const notes: string[] = []
  // Two indexes may have the same fields and differ in their options.
  const names = new Set(wanted.map(({ name }) => name))
  for (const index of distinct(wanted)) {
    const there =
      indexes.find(({ name }) => name === index.name) ??
      indexes.find(({ name, key }) => sameKey(key, index.key) && !names.has(String(name)))
    if (there !== undefined && serves(there, index)) {
      notes.push(...noteOf(collection, there, index))
      continue
    }
    if (there !== undefined) steps.push(dropIndex(collection, String(there['name']), index.model))
    steps.push(createIndex(collection, index))
  }
  const surplus = prune ? indexes.filter((each) => each['unique'] === true && !isWanted(each, wanted)) : []
  return { steps: [...steps, ...surplus.map(({ name }) => dropIndex(collection, String(name), undefined))], notes }
}

/** Models that share a collection may require the same index. */
function distinct(wanted: readonly WantedIndex[]): readonly WantedIndex[] {
  return [...new Map(wanted.toReversed().map((index) => [index.name, index])).values()].toReversed()
}

/** The order of the fields counts. */
const sameKey = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const isWanted = ({ name, key }: Document, wanted: readonly WantedIndex[]): boolean =>
  wanted.some((index) => index.name === name || sameKey(index.key, key))

/** An index of texts has another key than it was made with. */
const isText = (index: WantedIndex): boolean => Object.values(index.key).includes('text')

function serves(there: Document, wanted: WantedIndex): boolean {
  if (!isText(wanted) && !sameKey(there['key'], wanted.key)) return false
  if (isStricter(there, wanted)) return true
  const options = isText(wanted) ? compared.filter((option) => option !== 'weights') : compared
  return options.every((option) => isDeepStrictEqual(plain(there[option]), plain(wanted.options[option])))
}

/** A unique index of LoopBack's, which counts records without a value as equal. */
const isStricter = (there: Document, { options }: WantedIndex): boolean =>
  there['unique'] === true && options['unique'] === true && there['partialFilterExpression'] === undefined

function noteOf(collection: string, there: Document, wanted: WantedIndex): readonly string[] {
  const isPlain = isStricter(there, wanted) && there['sparse'] !== true
  if (!isPlain || wanted.options['partialFilterExpression'] === undefined) return []
  return [
    `the unique index ${wanted.name} of ${collection} allows only one record without a value: drop it, and a migration recreates it`
  ]
}

const plain = (value: unknown): unknown =>
  value === undefined || value === false ? undefined : JSON.parse(written({ value }))

function createIndex(collection: string, { name, model, key, options }: WantedIndex): PlannedStep {
  const all = { name, ...options }
  return {
    step: {
      kind: 'createIndex',
      model,
      description: `create the ${options['unique'] === true ? 'unique ' : ''}index ${name} of ${collection}`,
      statement: `${inShell(collection)}.createIndex(${written(key)}, ${written(all)})`,
      destructive: false
    },
    perform: (db) => db.command({ createIndexes: collection, indexes: [{ key, ...all }] })
  }
}

function dropIndex(collection: string, name: string, model: string | undefined): PlannedStep {
  return {
    step: {
      kind: 'dropIndex',
      model,
      description: `drop the index ${name} of ${collection}`,
      statement: `${inShell(collection)}.dropIndex(${JSON.stringify(name)})`,
      destructive: false
    },
    perform: (db) => db.collection(collection).dropIndex(name)
  }
}
