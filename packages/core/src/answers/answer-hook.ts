import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Awaitable } from '../values/awaitable.ts'

/** Work about an answer that is about to be sent; a promise only where it has to wait. */
type AnswerWork = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Awaitable<void>

/** An `onSend` hook that never changes what is answered: `answerHook` alone makes one. */
export type AnswerHook = onSendHookHandler & { readonly [keepsAnswer]: true }

const keepsAnswer: unique symbol = Symbol('keeps the answer')

/**
 * Makes an `onSend` hook: the only way to do something about an answer before it is sent. It may set headers. By now the request was
 * carried out, so that an error must not take the place of its answer: a client that hears of a failure repeats what was done.
 * Whatever `work` throws is logged, and the answer sent as it is.
 * @param task names the work in the log
 */
export function answerHook(task: string, work: AnswerWork): AnswerHook {
  const report = (err: unknown, { log }: FastifyRequest): void =>
    log.error({ err, task }, 'a task about an answer failed; the answer is sent all the same')
  const settle = async (working: Promise<void>, request: FastifyRequest, done: () => void): Promise<void> => {
    try {
      await working
    } catch (error) {
      report(error, request)
    }
    done()
  }
  const hook: onSendHookHandler = (request, reply, payload, done) => {
    const finish = (): void => done(null, payload)
    let working: Awaitable<void> = undefined
    try {
      working = work(request, reply, payload)
    } catch (error) {
      report(error, request)
    }
    if (working instanceof Promise) void settle(working, request, finish)
    else finish()
  }
  return Object.assign(hook, { [keepsAnswer]: true as const })
}
