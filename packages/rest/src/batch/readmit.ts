import type { FastifyReply, FastifyRequest } from 'fastify'
import { signalOf } from '../http-context.ts'
import type { Batch } from './batch-request.ts'
import { type BatchAnswer, type BatchParts, carryOut } from './run-batch.ts'

/** An answer as the body of a batch's answer has it. */
interface KeptPart {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

function answerOf(id: string, { status, headers, body }: KeptPart): BatchAnswer {
  const isJson = body !== undefined && /^application\/([\w.-]+\+)?json\b/.test(headers['content-type'] ?? '')
  return { id, status, headers, isJson, text: isJson ? JSON.stringify(body) : String(body ?? '') }
}

/** The answers of a batch that was carried out, read from the body of its answer. */
function readAnswers({ requests }: Batch, body: string): BatchAnswer[] {
  const kept = JSON.parse(body) as Readonly<Record<string, KeptPart[]>> // as `write-answers.ts` writes it, in the order of the requests
  return Object.values(kept)
    .flat()
    .map((part, index) => answerOf(requests[index]?.id ?? '', part))
}

/** A read is refused; a change was made, and is not answered as if it had not: its status is told. */
const withoutContent = (kept: BatchAnswer, refusal: BatchAnswer, isRead: boolean): BatchAnswer =>
  isRead ? refusal : { ...kept, headers: {}, text: '', isJson: false }

/**
 * What the caller may see of the kept answer to a batch: each request is admitted again, without being carried out. Refusals are given
 * again as they are. Undefined where that is all of it.
 */
export async function readmit(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  batch: Batch,
  body: string,
  parts: BatchParts
): Promise<BatchAnswer[] | undefined> {
  const kept = readAnswers(batch, body)
  const given = new Map(kept.map((answer) => [answer.id, answer]))
  const run = { ...parts, outer: request, signal: signalOf(reply), admitsOnly: true }
  const shown: BatchAnswer[] = []
  for (const each of batch.requests) {
    const answer = given.get(each.id)
    if (answer === undefined) continue
    const admission = answer.status < 400 ? await carryOut(each, given, run) : answer
    const isShown = admission === answer || admission.status < 400
    shown.push(isShown ? answer : withoutContent(answer, admission, each.method === 'GET'))
  }
  return shown.every((answer, index) => answer === kept[index]) ? undefined : shown
}
