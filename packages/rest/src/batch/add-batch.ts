import type { ModelType, Mount } from '@modelwire/core/plugin'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ModelPathTaken } from '../errors.ts'
import type { MakeIdempotent } from '../idempotency/idempotent-requests.ts'
import { unsniffed } from '../output/reply-headers.ts'
import { type Batch, batchReader } from './batch-request.ts'
import { bulkReader, type BulkReading, bulkRoutes, groupAnswers } from './bulk-request.ts'
import { operationFinder } from './find-operation.ts'
import { readmit } from './readmit.ts'
import { type BatchAnswer, type BatchParts, runBatch } from './run-batch.ts'
import { innerSender } from './send-within.ts'
import { writeBatchAnswer, writeBulkAnswer } from './write-answers.ts'

/** Where batches are answered, how many requests they may have, and how many seconds an atomic one may take. */
export interface BatchSettings {
  readonly path: string
  readonly limit: number
  readonly timeout: number
}

/** How requests of one kind are read, and answered. */
interface BatchForm {
  /** @throws {InvalidBatch} the body is malformed */
  readonly read: (request: FastifyRequest) => Batch
  readonly write: (answers: readonly BatchAnswer[]) => string
}

type Routes = Mount['routes']

/** What routes of batches need beside what carries them out. */
export interface BatchMounting extends Pick<BatchParts, 'registry' | 'bounds' | 'tell'> {
  readonly scope: FastifyInstance
  /** Where the API is mounted on the server; empty at its root. */
  readonly prefix: string
  readonly routes: Routes
  readonly idempotent: MakeIdempotent | undefined
}

const sendJson = (reply: FastifyReply, text: string): FastifyReply =>
  unsniffed(reply).header('content-type', 'application/json; charset=utf-8').send(text)

const answersPost = (routes: Routes, path: string) =>
  routes.find((route) => route.verb === 'POST' && route.path.toLowerCase() === path.toLowerCase())

/** The models with routes that many records can be written by. */
const writtenModels = (routes: Routes): ModelType[] => [...new Set(routes.map(({ operation }) => operation.model))]

/** Many records of a model, as a batch that writes each of them alone. */
function bulkForm(reading: BulkReading): BatchForm {
  const read = bulkReader(reading)
  return {
    read: ({ body, headers: { prefer } }) => read(body, prefer === undefined ? undefined : String(prefer)),
    write: (answers) => writeBulkAnswer(groupAnswers(answers))
  }
}

/** Batches that may change something take keys. The answer of one is given again as far as its caller is still admitted. */
function idempotentHooks({ idempotent }: BatchMounting, { read, write }: BatchForm, parts: BatchParts) {
  const hooks = idempotent?.({
    takesKey: (request) => read(request).requests.some(({ method }) => method !== 'GET'),
    readmit: async (request, reply, kept) => {
      if (typeof kept.body !== 'string' || kept.status !== 200) return kept
      const shown = await readmit({ request, reply }, read(request), kept.body, parts)
      return shown === undefined ? kept : { ...kept, body: write(shown) }
    }
  })
  return hooks === undefined ? {} : { preHandler: hooks.claim, onSend: hooks.keep }
}

function addRoute(mounting: BatchMounting, url: string, form: BatchForm, parts: BatchParts): void {
  mounting.scope.route({
    method: 'POST',
    url,
    handler: async (request, reply) =>
      sendJson(reply, form.write(await runBatch({ request, reply }, form.read(request), parts))),
    ...idempotentHooks(mounting, form, parts)
  })
}

/** Where many records of each model are written. A model whose own method answers there keeps it. */
function bulkReadings({ routes, scope }: BatchMounting, limit: number): (BulkReading & { path: string })[] {
  return writtenModels(routes).flatMap((model) => {
    const path = `/${model.httpPath}/bulk`
    const found = bulkRoutes(model, routes)
    if (Object.keys(found).length === 0) return []
    if (answersPost(routes, path) === undefined) return [{ model, path, routes: found, limit }]
    scope.log.warn(`POST ${path} is a method of ${model.name}: many of its records are written by the batch alone`)
    return []
  })
}

/**
 * Adds the route of batches, and one per model for many of its records. They have no access rules of their own: each request in them
 * is admitted, or refused, by itself.
 * @throws {ModelPathTaken} a method of a model answers where batches would
 */
export function addBatch(
  mounting: BatchMounting,
  { path, limit, timeout }: BatchSettings
): NonNullable<Mount['batch']> {
  const { routes, scope, bounds } = mounting
  const taken = answersPost(routes, path)?.operation.model.name
  if (taken !== undefined)
    throw new ModelPathTaken(`a method of ${taken} is at POST ${path}: give batches another path by batch.path`, {
      model: taken,
      key: 'batch.path'
    })
  const [find, send] = [operationFinder(scope, mounting), innerSender(scope, bounds)]
  const parts: BatchParts = { ...mounting, find, send, timeout }
  const reader = batchReader(limit)
  addRoute(mounting, path, { read: ({ body }) => reader.read(body), write: writeBatchAnswer }, parts)
  const readings = bulkReadings(mounting, limit)
  for (const reading of readings) addRoute(mounting, reading.path, bulkForm(reading), parts)
  const bulk = readings.map(({ model, routes: found, path: at }) => ({ model, path: at, verbs: Object.keys(found) }))
  return { path, limit, schema: reader.schema, bulk }
}
