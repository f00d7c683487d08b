import type { onRequestHookHandler } from 'fastify'
import { callerCheck } from './check-caller.ts'
import { type Authenticating, authenticateRequest, lazyReader } from './authenticate-request.ts'

/** Calls `done` when a token was read. */
async function finish(working: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await working
    done()
  } catch (error) {
    done(error as Error) // reading a token throws errors alone
  }
}

/** Makes the hook that finds out who calls. For a request without a token no promise is made. */
export function authenticationHook(authenticating: Authenticating): onRequestHookHandler {
  const { registry, options } = authenticating
  const read = lazyReader(authenticating)
  const authenticate = authenticateRequest(options, read)
  registry.callerChecks.push(callerCheck(() => registry.typeOf(options.accessTokenModel ?? 'AccessToken'), read))
  return (request, _reply, done) => {
    try {
      const working = authenticate(request)
      if (working instanceof Promise) void finish(working, done)
      else done()
    } catch (error) {
      done(error as Error) // as above
    }
  }
}
