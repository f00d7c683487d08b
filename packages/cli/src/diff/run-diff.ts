import { type Answer, compareAnswers, type Difference } from './compare.ts'
import type { IgnoreRules } from './ignore-rules.ts'
import { parseJson, type Request } from './traffic.ts'
import { CommandError } from '../errors.ts'

/** Values that the old server made up, such as tokens and ids, with those that the new one made instead. */
class Substitutions {
  readonly #known = new Map<string, string>()

  /** Learns from two answers to the same request: texts that differ at the same place, and look made up. */
  learn(old: unknown, now: unknown): void {
    if (typeof old === 'string' && typeof now === 'string') {
      if (old !== now && old.length >= 20 && /^[\w.~+/=-]+$/.test(old)) this.#known.set(old, now)
      return
    }
    if (typeof old !== 'object' || typeof now !== 'object' || old === null || now === null) return
    for (const [key, value] of Object.entries(old)) this.learn(value, (now as Record<string, unknown>)[key]) // by any key
  }

  /** A request of the old server's client as a client of the new one would send it. */
  apply(request: Request): Request {
    if (this.#known.size === 0) return request
    const headers = Object.entries(request.headers).map(([name, value]) => [name, this.#replace(value)] as const)
    return {
      ...request,
      path: this.#replace(request.path),
      headers: Object.fromEntries(headers),
      ...(request.body === undefined ? {} : { body: this.#replace(request.body) })
    }
  }

  #replace(text: string): string {
    let replaced = text
    for (const [old, now] of this.#known) replaced = replaced.replaceAll(old, now)
    return replaced
  }
}

/** Milliseconds to wait for an answer. */
const requestTimeoutMs = 30_000

/** The two servers, and what to ignore. */
export interface DiffTask {
  readonly old: URL
  readonly new: URL
  readonly rules: IgnoreRules
  /** Sent with every request that does not set the same header. */
  readonly headers: Readonly<Record<string, string>>
  readonly onProgress: (done: number, differing: number) => void
}

/** A request, the responses of both servers, and their differences. */
export interface Outcome {
  readonly request: Request
  readonly old: Answer
  readonly new: Answer
  readonly differences: readonly Difference[]
}

/** Requests to send; each is generated after the previous ones are answered, so that it may use their responses. */
export type Requests = AsyncIterable<Request> | Iterable<Request>

/** Called with the old server's responses, so that later requests can use them. */
export type OnAnswer = (request: Request, answer: Answer) => void

/**
 * Sends every request to both servers, one after the other, and compares the responses. Values that the old server
 * generates, such as the token of a login, are replaced by the new server's own in later requests to it.
 * @throws {CommandError} NO_ANSWER: a server is unreachable
 */
export async function runDiff(task: DiffTask, requests: Requests, onAnswer?: OnAnswer): Promise<Outcome[]> {
  const substitutions = new Substitutions()
  const outcomes: Outcome[] = []
  let differing = 0
  for await (const written of requests) {
    const request = { ...written, headers: { ...task.headers, ...written.headers } }
    const [old, now] = await Promise.all([send(task.old, request), send(task.new, substitutions.apply(request))])
    substitutions.learn(parseJson(old.text), parseJson(now.text))
    const differences = compareAnswers(old, now, task.rules)
    outcomes.push({ request, old, new: now, differences })
    differing += differences.length > 0 ? 1 : 0
    onAnswer?.(request, old)
    task.onProgress(outcomes.length, differing)
  }
  return outcomes
}

/**
 * Sends a request to a server. Redirects are not followed.
 * @throws {CommandError} NO_ANSWER: the server is unreachable, or does not answer in time
 */
export async function send(server: URL, { method, path, headers, body }: Request): Promise<Answer> {
  try {
    const response = await fetch(server.origin + server.pathname.replace(/\/$/, '') + path, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(requestTimeoutMs),
      ...(body === undefined || method === 'GET' || method === 'HEAD' ? {} : { body })
    })
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
  } catch (cause) {
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause)
    throw new CommandError('NO_ANSWER', `${server.origin} does not answer ${method} ${path}: ${why}`, 1)
  }
}
