import { CommandFailed } from './command-failed.ts'
import { type Answer, type Command, type Congo, partOf, type StoredDocument } from './load-congo.ts'
import type { CollectionOf } from './write-commands.ts'

type Perform = (command: Command) => Answer

interface OpenCursor {
  readonly namespace: string
  readonly rest: StoredDocument[]
}

/** Returns documents in batches. */
class Cursors {
  readonly #congo: Congo
  readonly #open = new Map<number, OpenCursor>()
  #last = 0

  constructor(congo: Congo) {
    this.#congo = congo
  }

  first(namespace: string, documents: readonly StoredDocument[], size: unknown): Answer {
    return this.#batch({ namespace, rest: [...documents] }, ++this.#last, 'firstBatch', size ?? 101)
  }

  next(id: number, size: unknown): Answer {
    const cursor = this.#open.get(id)
    if (cursor === undefined) throw new CommandFailed(`cursor id ${id} not found`, 43, 'CursorNotFound')
    return this.#batch(cursor, id, 'nextBatch', size ?? Infinity)
  }

  close(ids: readonly unknown[]): void {
    for (const id of ids) this.#open.delete(Number(id))
  }

  #batch(cursor: OpenCursor, id: number, name: string, size: unknown): Answer {
    const part = cursor.rest.splice(0, Number(size))
    const isOver = cursor.rest.length === 0
    if (isOver) this.#open.delete(id)
    else this.#open.set(id, cursor)
    const cursorId = this.#congo.bson.Long.fromNumber(isOver ? 0 : id)
    return { ok: 1, cursor: { id: cursorId, ns: cursor.namespace, [name]: part } }
  }
}

/** The commands that read documents. */
export function readCommands(congo: Congo, collectionOf: CollectionOf): Readonly<Record<string, Perform>> {
  const cursors = new Cursors(congo)
  return {
    find: (each) => {
      const { command, database } = each
      const { singleBatch, batchSize } = command
      const found = find(congo, collectionOf, each)
      const size = singleBatch === true ? found.length : batchSize
      return cursors.first(`${database}.${String(command['find'])}`, found, size)
    },
    aggregate: (each) => {
      const { command, database } = each
      const { batchSize } = partOf(command['cursor'])
      const found = aggregate(congo, collectionOf, each)
      return cursors.first(`${database}.${String(command['aggregate'])}`, found, batchSize)
    },
    getMore: ({ command }) => cursors.next(Number(command['getMore']), command['batchSize']),
    killCursors: ({ command }) => {
      // By the protocol, there is a list of numbers.
      const ids = command['cursors'] as readonly unknown[]
      cursors.close(ids)
      return { ok: 1, cursorsKilled: ids, cursorsNotFound: [], cursorsAlive: [], cursorsUnknown: [] }
    },
    count: (each) => {
      const { count: name, query } = each.command
      return { ok: 1, n: collectionOf(each, name).matching(partOf(query)).length }
    },
    distinct: (each) => {
      const { distinct: name, key, query } = each.command
      const found = collectionOf(each, name).matching(partOf(query))
      return { ok: 1, values: [...new Set(found.flatMap((document) => document[String(key)] ?? []))] }
    }
  }
}

function find(congo: Congo, collectionOf: CollectionOf, each: Command): StoredDocument[] {
  const { find: name, filter, sort, skip = 0, limit = 0, projection } = each.command
  const found = collectionOf(each, name).matching(partOf(filter), partOf(sort))
  const page = found.slice(Number(skip), limit === 0 ? undefined : Number(skip) + Number(limit))
  return projection === undefined ? page : run(congo, [{ $project: projection }], page)
}

/** mingo makes a sample larger than what there is. */
function asFew(stage: object): object {
  const { $sample: sample } = partOf(stage)
  return sample === undefined ? stage : { $limit: partOf(sample)['size'] }
}

function aggregate(congo: Congo, collectionOf: CollectionOf, each: Command): StoredDocument[] {
  // By the protocol, a pipeline is a list of stages.
  const pipeline = each.command['pipeline'] as readonly object[]
  // A query at the start finds what `find` does.
  const [first, ...stages] = pipeline
  const { $match: query, $collStats: statistics } = partOf(first)
  if (statistics !== undefined) return run(congo, stages, [statisticsOf(collectionOf(each, each.command['aggregate']))])
  const documents = collectionOf(each, each.command['aggregate']).matching(partOf(query))
  const resolve = (name: string): StoredDocument[] => collectionOf(each, name).all()
  return run(congo, (query === undefined ? pipeline : stages).map(asFew), documents, resolve)
}

/** The driver of LoopBack's connector counts all documents by them. */
const statisticsOf = (collection: ReturnType<CollectionOf>): StoredDocument => ({ count: collection.all().length })

function run(
  { mingo }: Congo,
  pipeline: readonly object[],
  documents: StoredDocument[],
  collectionResolver?: (name: string) => StoredDocument[]
): StoredDocument[] {
  return new mingo.Aggregator(pipeline, { collectionResolver }).run(documents)
}
