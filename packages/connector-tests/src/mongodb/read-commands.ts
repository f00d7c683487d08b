import { CommandFailed } from './command-failed.ts'
import type { Answer, Command, Congo, StoredDocument } from './load-congo.ts'
import type { CollectionOf } from './write-commands.ts'

type Perform = (command: Command) => Answer

interface OpenCursor {
  readonly namespace: string
  readonly rest: StoredDocument[]
}

/** The commands that read documents. */
export function readCommands(congo: Congo, collectionOf: CollectionOf): Readonly<Record<string, Perform>> {
  const cursors = new Map<number, OpenCursor>()
  let last = 0
  const batch = (namespace: string, documents: StoredDocument[], size: unknown, name: string, known?: number): Answer => {
    const rest = [...documents]
    const part = rest.splice(0, typeof size === 'number' ? size : 101)
    const id = rest.length === 0 ? 0 : (known ?? ++last)
    if (rest.length > 0) cursors.set(id, { namespace, rest })
    else if (known !== undefined) cursors.delete(known)
    return { ok: 1, cursor: { id: congo.bson.Long.fromNumber(id), ns: namespace, [name]: part } }
  }
  return {
    find: (each) => {
      const { command, database } = each
      const { filter = {}, sort = {}, skip = 0, limit = 0, projection, batchSize, singleBatch } = command
      const found = collectionOf(each, command['find']).matching(Object(filter), Object(sort))
      const page = found.slice(Number(skip), limit === 0 ? undefined : Number(skip) + Number(limit))
      const shown = projection === undefined ? page : run(congo, [{ $project: projection }], page)
      const size = singleBatch === true ? shown.length : batchSize
      return batch(`${database}.${String(command['find'])}`, shown, size, 'firstBatch')
    },
    aggregate: (each) => {
      const { command, database } = each
      // The protocol says that a pipeline is a list of stages.
      const pipeline = command['pipeline'] as readonly object[]
      // A query at the start finds what `find` does.
      const [first, ...stages] = pipeline
      const { $match: query } = Object(first)
      const documents = collectionOf(each, command['aggregate']).matching(Object(query ?? {}))
      const resolve = (name: string): StoredDocument[] => collectionOf(each, name).all()
      const found = run(congo, query === undefined ? pipeline : stages, documents, resolve)
      const { batchSize } = Object(command['cursor'])
      return batch(`${database}.${String(command['aggregate'])}`, found, batchSize, 'firstBatch')
    },
    getMore: ({ command }) => {
      const id = Number(command['getMore'])
      const cursor = cursors.get(id)
      if (cursor === undefined) throw new CommandFailed(`cursor id ${id} not found`, 43, 'CursorNotFound')
      return batch(cursor.namespace, cursor.rest, command['batchSize'] ?? Infinity, 'nextBatch', id)
    },
    killCursors: ({ command }) => {
      // The protocol says that there is a list of numbers.
      const ids = command['cursors'] as readonly unknown[]
      for (const id of ids) cursors.delete(Number(id))
      return { ok: 1, cursorsKilled: ids, cursorsNotFound: [], cursorsAlive: [], cursorsUnknown: [] }
    },
    count: (each) => {
      const { count: name, query = {} } = each.command
      return { ok: 1, n: collectionOf(each, name).matching(Object(query)).length }
    },
    distinct: (each) => {
      const { distinct: name, key, query = {} } = each.command
      const values = collectionOf(each, name)
        .matching(Object(query))
        .flatMap((document) => document[String(key)] ?? [])
      return { ok: 1, values: [...new Set(values)] }
    }
  }
}

function run(
  { mingo }: Congo,
  pipeline: readonly object[],
  documents: StoredDocument[],
  collectionResolver?: (name: string) => StoredDocument[]
): StoredDocument[] {
  return new mingo.Aggregator(pipeline, { collectionResolver }).run(documents)
}
