import type { Collection, Document } from 'mongodb'
import { idField } from '../names/read-mapping.ts'

/** Any function of the driver. */
export type AnyFunction = (...args: readonly unknown[]) => unknown

/** True for a function. */
export const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function'

/** Calls a method of the collection. The driver validates the arguments itself. */
type Call = (method: string, ...args: readonly unknown[]) => Promise<Answer>

/** A response of the driver. */
type Answer = Readonly<Record<string, unknown>>

const part = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

/** An answer of drivers before version 4: the server's answer is in `result`. */
const withResult = (answer: Answer, result: Answer): Answer => ({ ...answer, result: { ok: 1, ...result } })

/** `returnOriginal: false` is `returnDocument: 'after'` today; documents came with what the server said. */
function findAndOptions(value: unknown): Document {
  const { returnOriginal, new: isNew, ...options } = Object(value) as Document // options of a script
  const isAfter = returnOriginal === false || isNew === true
  return { ...options, ...(isAfter && { returnDocument: 'after' }), includeResultMetadata: true }
}

/**
 * Methods of collections that the driver has removed, or whose results have changed, as scripts of LoopBack 3 call them.
 * @see https://mongodb.github.io/node-mongodb-native/3.7/api/Collection.html
 */
export function legacyMethods(collection: Collection): Readonly<Record<string, AnyFunction>> {
  const call: Call = async (method, ...args) => {
    const found: unknown = Reflect.get(collection, method)
    // A method of the driver's collection, called as a script calls it.
    return (found as (...args: readonly unknown[]) => Promise<Answer>).apply(collection, [...args])
  }
  return { ...inserts(call), ...updates(call), ...removals(call), ...searches(call) }
}

function inserts(call: Call): Readonly<Record<string, AnyFunction>> {
  const insertOne = async (document: unknown, options?: unknown): Promise<Answer> => {
    const answer = await call('insertOne', document, options)
    return withResult({ ...answer, ops: [document], insertedCount: 1 }, { n: 1 })
  }
  const insertMany = async (documents: unknown, options?: unknown): Promise<Answer> => {
    const answer = await call('insertMany', documents, options)
    return withResult({ ...answer, ops: documents }, { n: answer['insertedCount'] })
  }
  return {
    insertOne,
    insertMany,
    insert: (documents, options) =>
      Array.isArray(documents) ? insertMany(documents, options) : insertOne(documents, options),
    save: (document, options) =>
      part(document, idField) === undefined
        ? insertOne(document, options)
        : call('replaceOne', { [idField]: part(document, idField) }, document, { ...Object(options), upsert: true })
  }
}

const isChange = (change: unknown): boolean => Object.keys(Object(change)).some((name) => name.startsWith('$'))

function updates(call: Call): Readonly<Record<string, AnyFunction>> {
  const update =
    (method: string): AnyFunction =>
    async (...args) => {
      const answer = await call(method, ...args)
      const [matched, modified] = [Number(answer['matchedCount']), answer['modifiedCount']]
      return withResult(answer, { n: matched + Number(answer['upsertedCount'] ?? 0), nModified: modified })
    }
  const [one, many, whole] = [update('updateOne'), update('updateMany'), update('replaceOne')]
  return {
    updateOne: one,
    updateMany: many,
    replaceOne: whole,
    update: (query, change, options) => {
      if (!isChange(change)) return whole(query, change, options)
      return part(options, 'multi') === true ? many(query, change, options) : one(query, change, options)
    }
  }
}

function removals(call: Call): Readonly<Record<string, AnyFunction>> {
  const remove =
    (method: string): AnyFunction =>
    async (query = {}, options?: unknown) => {
      const answer = await call(method, query, options)
      return withResult(answer, { n: answer['deletedCount'] })
    }
  const [one, many] = [remove('deleteOne'), remove('deleteMany')]
  return {
    deleteOne: one,
    deleteMany: many,
    remove: (query, options) => (part(options, 'single') === true ? one(query, options) : many(query, options))
  }
}

function searches(call: Call): Readonly<Record<string, AnyFunction>> {
  const update: AnyFunction = (query, change, options) =>
    call('findOneAndUpdate', query, change, findAndOptions(options))
  return {
    findOneAndUpdate: update,
    findOneAndReplace: (query, document, options) =>
      call('findOneAndReplace', query, document, findAndOptions(options)),
    findOneAndDelete: (query, options) => call('findOneAndDelete', query, findAndOptions(options)),
    findAndModify: (query, sort, change, options) => update(query, change, { ...Object(options), sort }),
    count: (query = {}, options?: unknown) => call('countDocuments', query, options),
    ensureIndex: (keys, options) => call('createIndex', keys, options)
  }
}

/**
 * Lets a function that returns a promise be called with a callback as its last argument, as drivers before version 5
 * supported: then it returns nothing.
 */
export function acceptCallback(perform: AnyFunction): AnyFunction {
  return (...args) => {
    const callback = args.at(-1)
    if (!isFunction(callback)) return perform(...args)
    void answerCallback(async () => perform(...args.slice(0, -1)), callback)
    return undefined
  }
}

/** What a callback throws is its script's own fault: it is not called again. */
async function answerCallback(perform: () => Promise<unknown>, callback: AnyFunction): Promise<void> {
  const [done] = await Promise.allSettled([perform()])
  const args = done.status === 'fulfilled' ? [null, done.value] : [done.reason]
  process.nextTick(callback, ...args)
}
