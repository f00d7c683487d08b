import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Awaitable } from '../promises.ts'
import { ApiError } from '../errors.ts'

/** Work of a hook; returns a promise only if it is asynchronous. */
export type HookWork = (request: FastifyRequest, reply: FastifyReply) => Awaitable<void>

/** Reports to Fastify that a hook is done, or the error it failed with. */
type HookDone = (error?: Error) => void

/** Handles what `work` throws; the default passes it to Fastify. */
export type HookFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply, done: HookDone) => void

/** A hook in Fastify's callback style. */
type CallbackHook = (request: FastifyRequest, reply: FastifyReply, done: HookDone) => void

/** Fastify takes an error that is not there for success: whoever throws nothing must not be let in by it. */
const errorOf = (thrown: unknown): unknown => thrown || new TypeError(`a hook failed with ${String(thrown)}`)

const passToFastify: HookFailure = (error, _request, _reply, done) => done(error as Error) // hooks only throw errors

/**
 * Makes a hook from work that is mostly synchronous: a promise is only created if `work` returns one. Errors are passed to
 * `fail`.
 */
export function toCallbackHook(work: HookWork, fail: HookFailure = passToFastify): CallbackHook {
  const finish = async (working: Promise<void>, ...[request, reply, done]: Parameters<CallbackHook>): Promise<void> => {
    try {
      await working
    } catch (error) {
      fail(errorOf(error), request, reply, done)
      return
    }
    done()
  }
  return (request, reply, done) => {
    let working: Awaitable<void>
    try {
      working = work(request, reply)
    } catch (error) {
      fail(errorOf(error), request, reply, done)
      return
    }
    if (working instanceof Promise) void finish(working, request, reply, done)
    else done()
  }
}

/** The result of `work`, or `refused` if it throws an error that refuses the client. Other errors are rethrown. */
export async function unlessRefused<T, Refused>(work: () => Awaitable<T>, refused: Refused): Promise<T | Refused> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.statusCode < 500) return refused
    throw error
  }
}
