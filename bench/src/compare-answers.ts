import { isDeepStrictEqual } from 'node:util'
import type { BenchRequest, Workload } from './workloads.ts'

/** An answer, as far as servers must agree on it. */
export interface Answer {
  readonly status: number
  readonly type: string | null
  readonly body: unknown
}

/** Sends one request to a server. */
export type Ask = (request: BenchRequest) => Promise<Answer>

/** Two servers do not answer alike, so that comparing their speed would mean nothing. */
export class AnswersDiffer extends Error {
  readonly code = 'BENCH_ANSWERS_DIFFER'
}

/** Asks a server over HTTP. */
export function askOverHttp(address: string): Ask {
  return async ({ method, path, body, headers = {} }) => {
    const json =
      body === undefined
        ? { headers }
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }
    const response = await fetch(address + path, { method, ...json })
    const text = await response.text()
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: text === '' ? undefined : JSON.parse(text)
    }
  }
}

/** The servers that are compared, by name. */
export type Asked = Readonly<Record<string, Ask>>

/**
 * Sends `requests` to all servers, one after the other, and compares status, content type and the whole body with those
 * of the first server. Only the wording of errors is free, and ids that are made as texts.
 * @throws {AnswersDiffer} an answer differs, or has another status than the workload expects
 */
export async function compareAnswers(
  workload: Workload,
  requests: readonly BenchRequest[],
  asked: Asked
): Promise<void> {
  for (const request of requests) await compareRequest(workload, request, asked)
}

async function compareRequest(workload: Workload, request: BenchRequest, asked: Asked): Promise<void> {
  const answers: Named[] = []
  const { makesIds = false } = workload
  const compared = (answer: Answer): Answer => (makesIds ? withoutId(answer) : withoutMessage(answer))
  for (const [name, ask] of Object.entries(asked)) answers.push({ name, answer: compared(await ask(request)) })
  const [first, ...others] = answers
  if (first === undefined) return
  const wanted = { name: 'the workload', answer: { ...first.answer, status: workload.status } }
  const other = [wanted, ...others].find(({ answer }) => !isDeepStrictEqual(answer, first.answer))
  if (other !== undefined) throw new AnswersDiffer(describe(workload, request, [first, other]))
}

interface Named {
  readonly name: string
  readonly answer: Answer
}

function withoutMessage(answer: Answer): Answer {
  if (!isObject(answer.body)) return answer
  const { error } = answer.body
  if (!isObject(error) || typeof error['message'] !== 'string') return answer
  return { ...answer, body: { ...answer.body, error: { ...error, message: 'any text' } } }
}

/** Ids that count are the same everywhere. */
function withoutId(answer: Answer): Answer {
  if (!isObject(answer.body) || typeof answer.body['id'] !== 'string') return answer
  return { ...answer, body: { ...answer.body, id: `any text of ${answer.body['id'].length} characters` } }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function describe({ name, title }: Workload, request: BenchRequest, [left, right]: readonly [Named, Named]): string {
  const { method, path, body } = request
  const sent = `${method} ${decodeURIComponent(path)} ${body === undefined ? '' : JSON.stringify(body)}`
  const where = findDifference(left.answer, right.answer)
  const lines = [left, right].map(({ name: side, answer }) => `  ${side}: ${JSON.stringify(answer).slice(0, 1000)}`)
  return [`${name} (${title}) is answered differently, at ${where}`, `  ${sent}`, ...lines].join('\n')
}

/** The path to the first difference of two values that are not alike. */
function findDifference(left: unknown, right: unknown): string {
  if (!isObject(left) || !isObject(right)) return ''
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  const key = keys.find((name) => !isDeepStrictEqual(left[name], right[name]))
  return key === undefined ? '' : `/${key}${findDifference(left[key], right[key])}`
}
