import type { ModelRegistry } from '@modelwire/core'
import { AnswerTooLarge } from '@modelwire/core/connector'
import type { AnswerBounds, ModelType, Operation } from '@modelwire/core/plugin'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorAnswer } from '../output/error-body.ts'
import { writeAnyJson } from '../output/write-any-json.ts'
import type { Batch, BatchRequest } from './batch-request.ts'
import { BatchRolledBack, BatchSpansDataSources } from './errors.ts'
import type { FindOperation } from './find-operation.ts'
import { type Given, resolveAddress, resolveReferences, withoutReferences } from './references.ts'
import { type InnerAnswer, sendWithin } from './send-within.ts'

/** One request's answer. */
export interface BatchAnswer extends InnerAnswer {
  readonly id: string
}

/** What batches of one API are carried out with. */
export interface BatchParts {
  readonly scope: FastifyInstance
  readonly registry: ModelRegistry
  readonly find: FindOperation
  readonly bounds: AnswerBounds
  /** Tells an error as the API does. */
  readonly tell: (error: unknown) => ErrorAnswer
}

/** The models whose records an operation may change. */
function modelsOf({ model, effect: { relation, via } }: Operation): ModelType[] {
  const related = [relation, via].flatMap((each) => (each === undefined ? [] : [each.to, each.through?.model]))
  return [model, ...related.filter((each) => each !== undefined)]
}

/** The one data source of all requests. @throws {BatchSpansDataSources} there are several */
function dataSourceOf({ requests }: Batch, { find }: BatchParts): string | undefined {
  const operations = requests.map(({ method, url }) => find(method, withoutReferences(url)).operation)
  const names = new Set(operations.flatMap(modelsOf).flatMap(({ dataSource }) => dataSource?.name ?? []))
  if (names.size > 1)
    throw new BatchSpansDataSources(
      `an atomic batch needs one data source, and these are several: ${[...names].join(', ')}`
    )
  return [...names][0]
}

/** An error as the answer of one request. */
function refusal(id: string, error: unknown, { tell }: BatchParts): BatchAnswer {
  const { statusCode, body } = tell(error)
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return { id, status: statusCode, headers, text: writeAnyJson(body), isJson: true }
}

async function carryOut(
  outer: FastifyRequest,
  request: BatchRequest,
  given: ReadonlyMap<string, Given>,
  parts: BatchParts
): Promise<BatchAnswer> {
  try {
    const { url } = parts.find(request.method, resolveAddress(request.url, given))
    const body = resolveReferences(request.body, given)
    return { id: request.id, ...(await sendWithin(parts.scope, outer, { ...request, url, body })) }
  } catch (error) {
    return refusal(request.id, error, parts)
  }
}

/** One after the other; `onAnswer` may end it by throwing. */
async function carryOutAll(
  outer: FastifyRequest,
  { requests }: Batch,
  parts: BatchParts,
  onAnswer: (answer: BatchAnswer) => void
): Promise<BatchAnswer[]> {
  const given = new Map<string, BatchAnswer>()
  let bytes = 0
  for (const request of requests) {
    // What was carried out is told: it is the rest that is refused.
    const isFull = bytes > parts.bounds.bytes
    const answer = isFull
      ? refusal(request.id, new AnswerTooLarge('bytes', parts.bounds), parts)
      : await carryOut(outer, request, given, parts)
    bytes += Buffer.byteLength(answer.text)
    given.set(request.id, answer)
    onAnswer(answer)
  }
  return [...given.values()]
}

function rollBack({ id, status, text, isJson }: BatchAnswer): void {
  if (status < 400) return
  const body: unknown = isJson ? JSON.parse(text) : text
  throw new BatchRolledBack(`the request ${JSON.stringify(id)} was refused, and nothing was changed`, {
    details: { id, status, body }
  })
}

/**
 * Carries out the requests of a batch one after the other, each as if the client of `outer` had sent it by itself: by way of the same
 * route, with the same rules, hooks and limits.
 * @throws {BatchRolledBack} one of an atomic batch was refused
 * @throws {BatchSpansDataSources} an atomic batch is about several data sources
 * @throws {NotImplemented} an atomic batch is about a data source without transactions
 */
export function runBatch(outer: FastifyRequest, batch: Batch, parts: BatchParts): Promise<BatchAnswer[]> {
  if (!batch.atomic) return carryOutAll(outer, batch, parts, () => undefined)
  const dataSource = dataSourceOf(batch, parts)
  return parts.registry.transaction(() => carryOutAll(outer, batch, parts, rollBack), { dataSource })
}
