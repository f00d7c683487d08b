import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@modelwire/core'
import type { ModelType, Row } from '@modelwire/core/connector'
import type { ChangeStream, ChangeStreamDocument, ChangeStreamOptions, Document, ResumeToken } from 'mongodb'
import type { MongoSession } from '../client/mongo-session.ts'
import { decodeRow, type DocumentMap } from '../document/document-map.ts'
import { idField } from '../names/read-mapping.ts'
import { changeKinds, type OwnWrites } from '../client/own-writes.ts'

/** The context for following the changes of other processes. */
export interface FollowContext {
  readonly session: MongoSession
  readonly own: OwnWrites
  readonly models: () => Iterable<ModelType>
  readonly mapOf: (model: ModelType) => DocumentMap
}

/** Milliseconds until a stream that broke off is opened again. */
const pause = 1000
/** The log of the database no longer reaches back to where a stream stood. */
const historyLost = 286

/** Publishes changes of other processes to the listeners of this one, until it is stopped. */
export class ChangeFollower {
  readonly #context: FollowContext
  #stream: ChangeStream | undefined
  #token: ResumeToken
  #isOver = false
  #following: Promise<void> | undefined

  constructor(context: FollowContext) {
    this.#context = context
  }

  start(): void {
    this.#isOver = false
    this.#following ??= this.#follow()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#stream?.close()
    await this.#following
    this.#following = undefined
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      const [done] = await Promise.allSettled([this.#read()])
      if (done.status === 'rejected' && !this.#isOver) await this.#afterFailure(done.reason)
    }
  }

  async #read(): Promise<void> {
    const options: ChangeStreamOptions = {
      fullDocument: 'updateLookup',
      ...(this.#token !== undefined && { resumeAfter: this.#token })
    }
    const pipeline: Document[] = [{ $match: { operationType: { $in: Object.keys(changeKinds) } } }]
    this.#stream = this.#context.session.db.watch(pipeline, options)
    for await (const event of this.#stream) {
      await publishForeignChange(this.#context, event)
      this.#token = event['_id']
    }
  }

  /** Resumes the stream: missed changes are then reported, as far back as the database's log reaches. */
  async #afterFailure(error: unknown): Promise<void> {
    const isLost = Reflect.get(Object(error), 'code') === historyLost
    if (isLost) this.#token = undefined
    process.emitWarning(
      `changes made by other processes are not reported for now: ${error instanceof Error ? error.message : String(error)}`,
      { code: isLost ? 'MODELWIRE_CHANGES_LOST' : 'MODELWIRE_CHANGES_INTERRUPTED' }
    )
    await sleep(pause)
  }
}

/** Publishes a change by another process, for each model of its collection that has listeners. */
export async function publishForeignChange(
  { own, models, mapOf }: FollowContext,
  event: ChangeStreamDocument
): Promise<void> {
  const { operationType, clusterTime } = event
  const kind = changeKinds[operationType]
  if (kind === undefined || !('documentKey' in event) || !('ns' in event) || !('coll' in event.ns)) return
  const { coll } = event.ns
  const id: unknown = event.documentKey[idField]
  if (await own.isOwn(clusterTime, id)) return
  const document: unknown = 'fullDocument' in event ? event.fullDocument : undefined
  for (const model of models()) {
    const map = mapOf(model)
    const { changes } = model.registry
    if (map.collection !== coll || isRead(model) || !changes.hasListeners(model.name)) continue
    changes.publish({ model: model.name, kind, id: map.id?.decode(id), after: rowOf(map, document) })
  }
}

/** Listeners hear of the changes by way of the log. */
const isRead = ({ logsChanges, dataSource, registry }: ModelType): boolean =>
  logsChanges && dataSource !== undefined && registry.changeLogs.has(dataSource.name)

/** None where the record is gone by now, or cannot be read. */
function rowOf(map: DocumentMap, document: unknown): Row | undefined {
  if (typeof document !== 'object' || document === null) return undefined
  try {
    return decodeRow(map, document)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
