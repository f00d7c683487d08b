import { AnswerTooLarge, type ModelType } from '@modelwire/core/connector'
import { isReading, type Operation, repository } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { signalOf } from '../../http-context.ts'
import type { Mounting } from '../layer.ts'
import type { Batch, BatchRequest } from './batch-request.ts'
import { BatchRolledBack, BatchSpansDataSources, ClientLeft } from '../../errors.ts'
import type { FindOperation } from './find-operation.ts'
import { type Given, resolveAddress, resolveReferences, withoutReferences } from './references.ts'
import type { InnerAnswer, SendWithin } from './send-within.ts'

/** One request's answer. */
export interface BatchAnswer extends InnerAnswer {
  readonly id: string
}

/** The dependencies for executing an API's batches. */
export interface BatchParts extends Pick<Mounting, 'registry' | 'bounds' | 'errors'> {
  readonly find: FindOperation
  readonly send: SendWithin
  /** Maximum duration of an atomic batch in seconds. */
  readonly timeout: number
}

/** How requests of a batch are executed. */
interface CarryingOut extends BatchParts {
  readonly outer: FastifyRequest
  /** Aborted when its client disconnects, and when it is over. */
  readonly signal: AbortSignal
  /** Requests that may change something end as soon as their caller is admitted. */
  readonly readsOnly?: boolean
  /** Called before each request is sent; throws to refuse it. */
  readonly check?: (operation: Operation) => void
}

/** A batch being executed. */
export interface Run extends CarryingOut {
  readonly requests: readonly BatchRequest[]
  /** Called with each response; throws to end the batch. */
  readonly onAnswer?: (answer: BatchAnswer) => void
}

/** The models whose records an operation may change. */
function modelsOf({ model, effect: { relation, via } }: Operation): ModelType[] {
  const related = [relation, via].flatMap((each) => (each === undefined ? [] : [each.to, each.through?.model]))
  return [model, ...related.filter((each) => each !== undefined)]
}

/** The one data source of all operations. @throws {BatchSpansDataSources} there are several */
function dataSourceOf(operations: readonly Operation[]): string | undefined {
  const names = new Set(operations.flatMap(modelsOf).flatMap(({ dataSource }) => dataSource?.name ?? []))
  if (names.size > 1)
    throw new BatchSpansDataSources(
      `an atomic batch requires a single data source, not several: ${[...names].join(', ')}`
    )
  return [...names][0]
}

/** An error as the answer of one request. */
function refusal(id: string, error: unknown, { errors, outer }: CarryingOut): BatchAnswer {
  const { statusCode, contentType, text } = errors.tell(error, outer.headers.accept)
  return { id, status: statusCode, headers: { 'content-type': contentType }, text, isJson: true }
}

/** Executes one request. Its errors become responses. */
export async function carryOut(
  request: BatchRequest,
  given: ReadonlyMap<string, Given>,
  run: CarryingOut
): Promise<BatchAnswer> {
  const { id, method } = request
  try {
    if (run.signal.aborted) throw new ClientLeft()
    const found = run.find(method, resolveAddress(request.url, given))
    run.check?.(found.operation)
    const body = resolveReferences(request.body, given)
    const admitsOnly = run.readsOnly === true && !isReading(found.operation.effect)
    return { id, ...(await run.send(run.outer, { ...request, ...found, body, admitsOnly }, run.signal)) }
  } catch (error) {
    return refusal(id, run.signal.aborted ? new ClientLeft() : error, run)
  }
}

/** Answers requests one after the other, as long as their responses do not exceed the limits together. */
export async function answerEach(
  run: Run,
  answerOne: (request: BatchRequest, given: ReadonlyMap<string, Given>) => Promise<BatchAnswer>
): Promise<BatchAnswer[]> {
  const given = new Map<string, BatchAnswer>()
  let bytes = 0
  for (const request of run.requests) {
    // What was carried out is told: it is the rest that is refused.
    const isFull = bytes > run.bounds.bytes
    const answer = isFull
      ? refusal(request.id, new AnswerTooLarge('bytes', run.bounds), run)
      : await answerOne(request, given)
    bytes += Buffer.byteLength(answer.text)
    given.set(request.id, answer)
    run.onAnswer?.(answer)
  }
  return [...given.values()]
}

const carryOutAll = (run: Run): Promise<BatchAnswer[]> =>
  answerEach(run, (request, given) => carryOut(request, given, run))

function rollBack({ id, status, text, isJson }: BatchAnswer): void {
  if (status < 400) return
  const body: unknown = isJson ? JSON.parse(text) : text
  throw new BatchRolledBack(`the request ${JSON.stringify(id)} was refused, and nothing was changed`, {
    details: { id, status, body }
  })
}

/**
 * What stands for the records that requests change by their ids, in the same order for all batches: of two with the same records one waits
 * for the other, in place of each for what the other one has.
 */
function recordKeys(requests: readonly BatchRequest[], planned: readonly Operation[]): readonly string[] {
  const keys = planned.flatMap(({ effect, model }, at) => {
    const { method, url, body } = requests[at] ?? {}
    const [path = ''] = url?.split('?', 1) ?? []
    if (method === 'GET' || path.includes('{')) return []
    if (effect.idIn === 'path') return [path]
    const id = isPlainObject(body) ? repository.idOf(model, body) : undefined
    return typeof id === 'string' || typeof id === 'number' ? [`${path}/${id}`] : []
  })
  return [...new Set(keys)].toSorted()
}

/** All in one transaction, or none. */
function carryOutAtomically(run: Run): Promise<BatchAnswer[]> {
  const planned = run.requests.map(({ method, url }) => run.find(method, withoutReferences(url)).operation)
  const atomic: Run = {
    ...run,
    // What a reference gives may lead to another operation than was planned.
    check: (operation) => dataSourceOf([...planned, operation]),
    onAnswer: (answer) => {
      if (run.signal.aborted) throw new ClientLeft()
      rollBack(answer)
    }
  }
  const options = { dataSource: dataSourceOf(planned), timeout: run.timeout * 1000 }
  const keys = recordKeys(run.requests, planned)
  return run.registry.transaction(async () => {
    if (keys.length > 1 && options.dataSource !== undefined)
      await run.registry.dataSources.get(options.dataSource)?.connector.lock?.(keys)
    return carryOutAll(atomic)
  }, options)
}

/**
 * Executes the requests of a batch one after the other, each as if the client of `request` had sent it itself: through the
 * same route, with the same rules, hooks and limits. If the client disconnects, the running request is closed, and no
 * further one starts.
 * @throws {BatchRolledBack} one of an atomic batch was refused
 * @throws {BatchSpansDataSources} an atomic batch is about several data sources
 * @throws {ClientLeft} the client of an atomic batch left
 * @throws {TransactionTimeout} an atomic batch took too long
 * @throws {NotImplemented} an atomic batch is about a data source without transactions
 */
export async function runBatch(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { atomic, requests }: Batch,
  parts: BatchParts
): Promise<BatchAnswer[]> {
  const over = new AbortController()
  const signal = AbortSignal.any([signalOf(reply), over.signal])
  const run: Run = { ...parts, outer: request, requests, signal }
  try {
    return await (atomic ? carryOutAtomically(run) : carryOutAll(run))
  } finally {
    over.abort()
  }
}
