import { isDeepStrictEqual } from 'node:util'
import { type Answer, AnswersDiffer, type Ask } from '../compare-answers.ts'
import type { Plan } from '../measure-run.ts'
import type { BenchRequest } from '../workloads.ts'
import { type Asked, type Other, readAsked } from './other.ts'

/** The same requests in the way of another framework; undefined where it cannot answer one of them. */
export function planOther({ translate, created = 200 }: Other, { workload, requests }: Plan): Plan | undefined {
  if (workload.leaves !== undefined) return undefined
  const asked = requests.map(readAsked)
  const translated = requests.flatMap((request, at) => translate(asked[at] ?? readAsked(request), request) ?? [])
  if (translated.length < requests.length) return undefined
  const status = asked.some(({ kind }) => kind === 'create') ? created : workload.status
  return { workload: { ...workload, status }, requests: translated }
}

/** How both sides of a comparison are asked. */
export interface Sides {
  /** A server that answers in LoopBack's form. */
  readonly ours: Ask
  readonly theirs: Ask
}

/**
 * Sends the first `count` requests of a plan to a server, and the same ones to another framework in its own way: both must answer as
 * many records, with the same values of their main properties, or the same count.
 * @throws {AnswersDiffer}
 */
export async function compareOther(other: Other, plan: Plan, sides: Sides, count: number): Promise<void> {
  const translated = planOther(other, plan)
  if (translated === undefined) return
  for (const [at, request] of plan.requests.slice(0, count).entries()) {
    const theirRequest = translated.requests[at] ?? request
    const asked = readAsked(request)
    const [ours, theirs] = [await sides.ours(request), await sides.theirs(theirRequest)]
    const isRight = ours.status === plan.workload.status && theirs.status === translated.workload.status
    const [wanted, given] = [mainOf(ours, ours.body, asked), mainOf(theirs, readBody(other, theirs, asked), asked)]
    if (isRight && isDeepStrictEqual(wanted, given)) continue
    throw new AnswersDiffer(describe(other, theirRequest, wanted, theirs))
  }
}

function readBody(other: Other, { status, body }: Answer, asked: Asked): unknown {
  return status < 400 ? other.readAnswer(body, asked) : undefined
}

const mainProperties = ['id', 'name', 'description', 'price', 'inStock', 'category', 'stock', 'tags']

/** What must be the same: nothing of an error, all of a count, the main properties of records and of their reviews. */
function mainOf({ status }: Answer, body: unknown, { kind }: Asked): unknown {
  if (status >= 400) return undefined
  if (kind === 'count') return body
  if (Array.isArray(body)) return body.map((record) => mainOfRecord(record, kind))
  return mainOfRecord(body, kind)
}

function mainOfRecord(record: unknown, kind: Asked['kind']): unknown {
  const { id, reviews, ...rest }: Record<string, unknown> = { ...Object(record) }
  const main = Object.fromEntries(mainProperties.map((name) => [name, rest[name]]))
  const texts = Array.isArray(reviews) ? reviews.map((review) => String(Object(review).text)).toSorted() : undefined
  // Some write ids as texts; which one a new record gets is theirs.
  return { ...main, ...(kind === 'create' ? {} : { id: String(id) }), reviews: texts }
}

const describe = (
  { title }: Other,
  { method, path, body }: BenchRequest,
  wanted: unknown,
  { status, body: given }: Answer
): string =>
  [
    `${title} does not answer as many records, or not with the same values:`,
    `  ${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`,
    `  wanted: ${JSON.stringify(wanted)?.slice(0, 1000)}`,
    `  answered: ${status} ${JSON.stringify(given)?.slice(0, 1000)}`
  ].join('\n')
