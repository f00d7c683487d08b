import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Awaitable } from '../values/awaitable.ts'

/** Work of a hook; a promise only where it has to wait. */
export type HookWork = (request: FastifyRequest, reply: FastifyReply) => Awaitable<void>

/** Reports to Fastify that a hook is done, or the error it failed with. */
export type HookDone = (error?: Error) => void

/** Handles what `work` throws; the default passes it to Fastify. */
export type HookFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply, done: HookDone) => void

/** A hook in Fastify's callback style. */
export type CallbackHook = (request: FastifyRequest, reply: FastifyReply, done: HookDone) => void

const passOn: HookFailure = (error, _request, _reply, done) => done(error as Error) // hooks throw errors alone

/**
 * Makes a hook of work that mostly has nothing to wait for: a promise is made only where `work` gives one. Errors go to `fail`.
 */
export function toCallbackHook(work: HookWork, fail: HookFailure = passOn): CallbackHook {
  const finish = async (working: Promise<void>, ...[request, reply, done]: Parameters<CallbackHook>): Promise<void> => {
    try {
      await working
    } catch (error) {
      fail(error, request, reply, done)
      return
    }
    done()
  }
  return (request, reply, done) => {
    let working: Awaitable<void>
    try {
      working = work(request, reply)
    } catch (error) {
      fail(error, request, reply, done)
      return
    }
    if (working instanceof Promise) void finish(working, request, reply, done)
    else done()
  }
}
