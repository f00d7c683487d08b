import { isDeepStrictEqual } from 'node:util'
import { CommandFailed } from './command-failed.ts'
import { type Answer, type Command, type Congo, partOf, type StoredDocument } from './load-congo.ts'
import type { StoredCollection } from './stored-collection.ts'

/** Finds the collection of a command, or makes it. */
export type CollectionOf = (command: Command, name: unknown) => StoredCollection

type Perform = (command: Command) => Answer

interface Update {
  readonly q: object
  readonly u: Readonly<Record<string, unknown>>
  readonly multi?: boolean
  readonly upsert?: boolean
  readonly sort?: object
}

/** The commands that change documents. A command of the server is done in one piece: nothing comes between. */
export function writeCommands(congo: Congo, collectionOf: CollectionOf): Readonly<Record<string, Perform>> {
  return {
    insert: (each) => {
      const target = collectionOf(each, each.command['insert'])
      return performEach(each, 'documents', (document) => {
        target.insert(document)
        return { n: 1 }
      })
    },
    update: (each) => {
      const target = collectionOf(each, each.command['update'])
      // The protocol defines an update.
      return performEach(each, 'updates', (update) => updateDocuments(congo, target, update as unknown as Update))
    },
    delete: (each) => {
      const target = collectionOf(each, each.command['delete'])
      return performEach(each, 'deletes', ({ q, limit }) => {
        const found = target.matching(Object(q)).slice(0, limit === 1 ? 1 : undefined)
        for (const document of found) target.remove(document)
        return { n: found.length }
      })
    },
    findAndModify: (each) => findAndModify(congo, collectionOf(each, each.command['findAndModify']), each.command)
  }
}

interface Done {
  readonly n: number
  readonly modified?: number
  readonly upserted?: unknown
}

interface Performed {
  n: number
  nModified: number
  readonly upserted: object[]
  readonly writeErrors: object[]
}

function performEach(command: Command, list: string, perform: (each: StoredDocument) => Done): Answer {
  // By the protocol, there is a list of documents.
  const each = command.documentSequences?.get(list) ?? (command.command[list] as StoredDocument[])
  const performed: Performed = { n: 0, nModified: 0, upserted: [], writeErrors: [] }
  for (const [index, document] of each.entries())
    if (!performOne(performed, index, () => perform(document)) && command.command['ordered'] !== false) break
  const { upserted, writeErrors, ...numbers } = performed
  return { ok: 1, ...numbers, ...(upserted.length > 0 && { upserted }), ...(writeErrors.length > 0 && { writeErrors }) }
}

/** False where it is refused. */
function performOne(performed: Performed, index: number, perform: () => Done): boolean {
  try {
    const { n, modified = 0, upserted } = perform()
    performed.n += n
    performed.nModified += modified
    if (upserted !== undefined) performed.upserted.push({ index, _id: upserted })
    return true
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    const { code, message, more } = error
    performed.writeErrors.push({ index, code, errmsg: message, ...more })
    return false
  }
}

function updateDocuments(
  congo: Congo,
  target: StoredCollection,
  { q, u, multi, upsert, sort }: Update
): Done & { documents?: readonly StoredDocument[] } {
  const found = target.matching(q, sort).slice(0, multi === true ? undefined : 1)
  if (found.length === 0 && upsert === true) {
    const made = changed(congo, { ...idOf(q), ...plainOf(q) }, u, true)
    if (!('_id' in made)) made['_id'] = new congo.bson.ObjectId()
    target.insert(made)
    return { n: 1, upserted: made['_id'], documents: [made] }
  }
  const documents = found.map((document) => {
    const next = changed(congo, document, u, false)
    target.replace(next)
    return next
  })
  return { n: found.length, modified: found.length, documents }
}

/** What an upsert takes from a query: its equality conditions. */
function plainOf(query: object): StoredDocument {
  const fields: StoredDocument = {}
  for (const [name, value] of Object.entries(query)) {
    if (name === '$and' && Array.isArray(value)) Object.assign(fields, ...value.map(plainOf))
    if (name.startsWith('$')) continue
    const tests = partOf(value)
    if (!Object.keys(tests).some((key) => key.startsWith('$'))) fields[name] = value
    else if ('$eq' in tests) fields[name] = tests['$eq']
  }
  return fields
}

const idOf = (query: object): StoredDocument => {
  const { _id: id } = plainOf(query)
  return id === undefined ? {} : { _id: id }
}

function changed(
  { bson, mingo }: Congo,
  document: StoredDocument,
  update: Readonly<Record<string, unknown>>,
  isNew: boolean
): StoredDocument {
  const names = Object.keys(update)
  if (!names.some((name) => name.startsWith('$'))) return { _id: document['_id'], ...update }
  const next = bson.deserialize(bson.serialize(document))
  const { $setOnInsert: onInsert, ...operators } = update
  for (const [name, fields] of Object.entries(operators))
    mingo.update(next, { [name]: withoutSameId(partOf(fields), next) }, [], {}, { cloneMode: 'none' })
  if (isNew) Object.assign(next, onInsert)
  return next
}

/** An id may be set to what it is; mingo refuses that. */
function withoutSameId(fields: Readonly<Record<string, unknown>>, { _id: id }: StoredDocument): object {
  const { _id: set, ...others } = fields
  return isDeepStrictEqual(set, id) ? others : fields
}

function findAndModify(congo: Congo, target: StoredCollection, command: Command['command']): Answer {
  const [query, sort] = [partOf(command['query']), partOf(command['sort'])]
  const [before] = target.matching(query, sort)
  if (command['remove'] === true) {
    if (before !== undefined) target.remove(before)
    return { ok: 1, value: before ?? null, lastErrorObject: { n: before === undefined ? 0 : 1 } }
  }
  const done = updateDocuments(congo, target, {
    q: before === undefined ? query : { _id: before['_id'] },
    u: partOf(command['update']),
    upsert: command['upsert'] === true
  })
  const [after] = done.documents ?? []
  return {
    ok: 1,
    value: (command['new'] === true ? after : before) ?? null,
    lastErrorObject: {
      n: done.n,
      updatedExisting: before !== undefined,
      ...(done.upserted !== undefined && { upserted: done.upserted })
    }
  }
}
