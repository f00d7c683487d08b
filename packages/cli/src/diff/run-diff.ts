import { type Answer, compareAnswers, type Difference } from './compare.ts'
import type { IgnoreRules } from './ignore-rules.ts'
import { parseJson } from './parse-json.ts'
import { send } from './send.ts'
import { Substitutions } from './substitutions.ts'
import type { Request } from './traffic.ts'

/** The two servers, and what is ignored. */
export interface DiffTask {
  readonly old: URL
  readonly new: URL
  readonly rules: IgnoreRules
  /** Sent with every request that has no header of this name. */
  readonly headers: Readonly<Record<string, string>>
  readonly onProgress: (done: number, differing: number) => void
}

/** A request, what both servers answered, and where that differs. */
export interface Outcome {
  readonly request: Request
  readonly old: Answer
  readonly new: Answer
  readonly differences: readonly Difference[]
}

/** Requests to send; each is made when those before it are answered, so that it may build on the answers. */
export type Requests = AsyncIterable<Request> | Iterable<Request>

/** Called for the old server's answers, so that later requests can build on them. */
export type OnAnswer = (request: Request, answer: Answer) => void

/**
 * Sends every request to both servers, one after the other, and compares the answers. What the old server makes up, such as
 * the token of a login, is replaced in later requests to the new one by what that made up.
 * @throws {CommandError} NO_ANSWER: a server cannot be reached
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
