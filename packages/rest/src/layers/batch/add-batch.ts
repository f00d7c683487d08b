import { type Mount, isReading } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ModelPathTaken } from '../../errors.ts'
import { signalOf } from '../../http-context.ts'
import { unsniffed } from '../../output/reply-headers.ts'
import { isJsonType } from '../../output/write-any-json.ts'
import { idempotentOf, noteShown } from '../idempotency/idempotent-requests.ts'
import { type Shown, describeShown, maskShown } from '../idempotency/shown-records.ts'
import type { Mounting } from '../layer.ts'
import { type Batch, batchReader } from './batch-request.ts'
import { bulkReader, type BulkReading, bulkRoutes, groupAnswers } from './bulk-request.ts'
import { operationFinder } from './find-operation.ts'
import { type BatchAnswer, type BatchParts, runBatch, answerEach, carryOut } from './run-batch.ts'
import { innerSender } from './send-within.ts'

const bodyOf = ({ text, isJson }: BatchAnswer): string => (isJson ? text : JSON.stringify(text))

const inList = (texts: readonly string[]): string => `[${texts.join(',')}]`

/** The body of a batch's answer. */
const writeBatchAnswer = (answers: readonly BatchAnswer[]): string =>
  `{"responses":${inList(answers.map((answer) => writeAnswer(answer, { id: answer.id })))}}`

/** A response in the body of a batch's response. */
interface KeptPart {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What was changed is not answered as if it had not been: its status is told. */
const withoutContent = (kept: BatchAnswer): BatchAnswer => ({ ...kept, headers: {}, text: '', isJson: false })

const isReadAgain = ({ context }: BatchAnswer): boolean =>
  context !== undefined && context !== null && isReading(context.operation.effect)

/** The path of batches, the maximum number of requests, and the maximum seconds of an atomic one. */
export interface BatchSettings {
  readonly path: string
  readonly limit: number
  readonly timeout: number
}

/** How batches of one kind are read, and answered. */
interface BatchForm {
  /** @throws {InvalidBatch} the body is malformed */
  readonly read: (request: FastifyRequest) => Batch
  readonly write: (answers: readonly BatchAnswer[]) => string
}

type Routes = Mount['routes']

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
function idempotentHooks(mounting: Mounting, { read, write }: BatchForm, parts: BatchParts) {
  const hooks = idempotentOf(mounting)?.({
    takesKey: (request) => read(request).requests.some(({ method }) => method !== 'GET'),
    remask: async (exchange, body, described) => {
      const shown = described as (Shown | null)[] // as `describeAnswers` gave it
      const answers = await readmit(exchange, { batch: read(exchange.request), body, shown }, parts)
      return answers === undefined ? body : write(answers)
    }
  })
  return hooks === undefined ? {} : { preHandler: hooks.claim, onSend: hooks.keep }
}

function addRoute(mounting: Mounting, url: string, form: BatchForm, parts: BatchParts): void {
  mounting.scope.route({
    method: 'POST',
    url,
    handler: async (request, reply) => {
      const answers = await runBatch({ request, reply }, form.read(request), parts)
      noteShown(request, () => describeAnswers(answers))
      return sendJson(reply, form.write(answers))
    },
    ...idempotentHooks(mounting, form, parts)
  })
}

/** Where many records of each model are written. A model whose own method answers there keeps it. */
function bulkReadings({ scope }: Mounting, routes: Routes, limit: number): (BulkReading & { path: string })[] {
  return writtenModels(routes).flatMap((model) => {
    const path = `/${model.httpPath}/bulk`
    const found = bulkRoutes(model, routes)
    if (Object.keys(found).length === 0) return []
    if (answersPost(routes, path) === undefined) return [{ model, path, routes: found, limit }]
    scope.log.warn(
      `POST ${path} is already a method of ${model.name}: use the batch endpoint to write many of its records`
    )
    return []
  })
}

/**
 * Adds the route of batches, and a bulk route per model. They have no access rules themselves: each request in them is
 * admitted, or denied, separately.
 * @throws {ModelPathTaken} a method of a model answers where batches would
 */
export function addBatch(
  mounting: Mounting,
  routes: Routes,
  { path, limit, timeout }: BatchSettings
): NonNullable<Mount['batch']> {
  const { scope, prefix } = mounting
  const taken = answersPost(routes, path)?.operation.model.name
  if (taken !== undefined)
    throw new ModelPathTaken(`a method of ${taken} is at POST ${path}: choose another path with batch.path`, {
      model: taken,
      key: 'batch.path'
    })
  const find = operationFinder(scope, { prefix, routes })
  const parts: BatchParts = { ...mounting, find, send: innerSender(mounting), timeout }
  const reader = batchReader(limit, mounting.headers.request)
  addRoute(mounting, path, { read: ({ body }) => reader.read(body), write: writeBatchAnswer }, parts)
  const readings = bulkReadings(mounting, routes, limit)
  for (const reading of readings) addRoute(mounting, reading.path, bulkForm(reading), parts)
  const bulk = readings.map(({ model, routes: found, path: at }) => ({ model, path: at, verbs: Object.keys(found) }))
  return { path, limit, schema: reader.schema, bulk }
}

function answerOf(id: string, { status, headers, body }: KeptPart): BatchAnswer {
  const isJson = body !== undefined && isJsonType(headers['content-type'])
  return { id, status, headers, isJson, text: isJson ? JSON.stringify(body) : String(body ?? '') }
}

/** The answers of a batch that was carried out, read from the body of its answer. */
function readAnswers({ requests }: Batch, body: string): BatchAnswer[] {
  const kept = JSON.parse(body) as Readonly<Record<string, KeptPart[]>> // as `writeAnswer` writes it, in the order of the requests
  return Object.values(kept)
    .flat()
    .map((part, index) => answerOf(requests[index]?.id ?? '', part))
}

/** The answer to a request that may have changed something, as far as its caller may see it now. */
async function masked(
  kept: BatchAnswer,
  { context }: BatchAnswer,
  { shown, body }: { readonly shown: Shown | null; readonly body: unknown }
): Promise<BatchAnswer> {
  if (shown === undefined || shown === null) return withoutContent(kept)
  if (context === undefined || context === null || kept.text === '') return kept
  const text = await maskShown(context, { text: kept.text, body }, shown)
  if (text === kept.text) return kept
  const { etag: _etag, ...headers } = kept.headers
  return { ...kept, headers, text }
}

/** What the answers of a batch show, for {@link readmit}. */
function describeAnswers(answers: readonly BatchAnswer[]): Promise<Shown[]> {
  return Promise.all(
    answers.map(async ({ status, headers, context = null, text, isJson }) => {
      if (status >= 400) return []
      // It shows what another request did.
      if (headers['idempotency-replayed'] !== undefined) return undefined
      return describeShown(context, isJson || text === '' ? text : undefined)
    })
  )
}

/**
 * What the caller may see of the kept answer to a batch: what only reads is read again, and each other request admitted again, without
 * being carried out. Refusals are given again as they are. Undefined where that is all of it.
 * @param shown what {@link describeAnswers} gave
 */
async function readmit(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { batch, body, shown }: { readonly batch: Batch; readonly body: string; readonly shown: readonly (Shown | null)[] },
  parts: BatchParts
): Promise<BatchAnswer[] | undefined> {
  const kept = readAnswers(batch, body)
  const given = new Map(kept.map((answer) => [answer.id, answer]))
  const described = new Map(kept.map(({ id }, place) => [id, shown[place]]))
  const run = { ...parts, outer: request, signal: signalOf(reply), requests: batch.requests, readsOnly: true }
  const answers = await answerEach(run, async (each) => {
    const answer = given.get(each.id)
    // Each request of a batch is answered.
    if (answer === undefined) throw new TypeError(`no answer to ${each.id} was kept`)
    if (answer.status >= 400) return answer
    const again = await carryOut(each, given, run)
    if (isReadAgain(again)) return again
    if (again.status < 400) return masked(answer, again, { shown: described.get(each.id), body: each.body })
    return each.method === 'GET' ? again : withoutContent(answer)
  })
  return answers.every((answer, index) => answer === kept[index]) ? undefined : answers
}

/** One answer as JSON: texts that are JSON are put in as they are. */
function writeAnswer(answer: BatchAnswer, facts: object): string {
  const head = JSON.stringify({ ...facts, status: answer.status, headers: answer.headers })
  return answer.text === '' ? head : `${head.slice(0, -1)},"body":${bodyOf(answer)}}`
}

/** The body of the answer to a request about many records. */
function writeBulkAnswer(groups: Readonly<Record<string, readonly BatchAnswer[]>>): string {
  const members = Object.entries(groups).map(
    ([verb, answers]) => `${JSON.stringify(verb)}:${inList(answers.map((answer) => writeAnswer(answer, {})))}`
  )
  return `{${members.join(',')}}`
}
