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
  return async ({ method, path, body }) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(address + path, { method, ...json })
    const text = await response.text()
    return { status: response.status, type: response.headers.get('content-type'), body: text === '' ? undefined : JSON.parse(text) }
  }
}

/**
 * Sends `requests` to both servers and compares status, content type and the whole body. Only the wording of errors is
 * free.
 * @throws {AnswersDiffer} an answer differs, or has another status than the workload expects
 */
export async function compareAnswers(workload: Workload, requests: readonly BenchRequest[], servers: Readonly<Record<string, Ask>>): Promise<void> {
  for (const request of requests) {
    let first: { name: string; answer: Answer } | undefined
    for (const [name, ask] of Object.entries(servers)) {
      const answer = withoutMessage(await ask(request))
      const expected = first ?? { name: 'the workload', answer: { ...answer, status: workload.status } }
      if (!isDeepStrictEqual(answer, expected.answer)) throw new AnswersDiffer(describe(workload, request, expected, { name, answer }))
      first ??= { name, answer }
    }
  }
}

function withoutMessage(answer: Answer): Answer {
  const error = isObject(answer.body) ? answer.body['error'] : undefined
  if (!isObject(error) || typeof error['message'] !== 'string') return answer
  return { ...answer, body: { error: { ...error, message: 'any text' } } }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

type Named = { readonly name: string; readonly answer: Answer }

function describe({ name, title }: Workload, { method, path, body }: BenchRequest, ...sides: readonly Named[]): string {
  const request = `${method} ${decodeURIComponent(path)} ${body === undefined ? '' : JSON.stringify(body)}`
  const lines = sides.map((side) => `  ${side.name}: ${JSON.stringify(side.answer).slice(0, 1500)}`)
  return [`${name} (${title}) is answered differently`, `  ${request}`, ...lines].join('\n')
}
