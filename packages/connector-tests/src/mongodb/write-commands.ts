import { CommandFailed } from './command-failed.ts'
import type { Answer, Command, Congo, StoredDocument } from './load-congo.ts'
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
      // The protocol says what an update has.
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

function performEach({ command, documentSequences }: Command, list: string, perform: (each: StoredDocument) => Done) {
  // The protocol says that there is a list of documents.
  const each = documentSequences?.get(list) ?? (command[list] as StoredDocument[])
  const answer = { ok: 1, n: 0, nModified: 0, upserted: [] as object[], writeErrors: [] as object[] }
  for (const [index, document] of each.entries()) {
    try {
      const { n, modified = 0, upserted } = perform(document)
      answer.n += n
      answer.nModified += modified
      if (upserted !== undefined) answer.upserted.push({ index, _id: upserted })
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error
      const { code, message, more } = error
      answer.writeErrors.push({ index, code, errmsg: message, ...more })
      if (command['ordered'] !== false) break
    }
  }
  const { upserted, writeErrors, ...numbers } = answer
  return { ...numbers, ...(upserted.length > 0 && { upserted }), ...(writeErrors.length > 0 && { writeErrors }) }
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

/** What an upsert takes from a query: what it says is equal. */
function plainOf(query: object): StoredDocument {
  const fields: StoredDocument = {}
  for (const [name, value] of Object.entries(query)) {
    if (name === '$and' && Array.isArray(value)) Object.assign(fields, ...value.map(plainOf))
    if (name.startsWith('$')) continue
    const isTest = typeof value === 'object' && value !== null && Object.keys(value).some((key) => key.startsWith('$'))
    if (!isTest) fields[name] = value
    else if ('$eq' in value) fields[name] = value.$eq
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
    mingo.update(next, { [name]: fields }, [], {}, { cloneMode: 'none' })
  if (isNew) Object.assign(next, onInsert)
  return next
}

function findAndModify(congo: Congo, target: StoredCollection, command: Command['command']): Answer {
  const [query, sort] = [Object(command['query'] ?? {}), Object(command['sort'] ?? {})]
  const [before] = target.matching(query, sort)
  if (command['remove'] === true) {
    if (before !== undefined) target.remove(before)
    return { ok: 1, value: before ?? null, lastErrorObject: { n: before === undefined ? 0 : 1 } }
  }
  const done = updateDocuments(congo, target, {
    q: before === undefined ? query : { _id: before['_id'] },
    u: Object(command['update']),
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
