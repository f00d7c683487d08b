import { rulesOf } from '@modelwire/core/plugin'
import { createErrorHandler } from '@modelwire/rest'
import type { MiddlewarePlan } from './middleware/middleware-plan.ts'
import { planMiddleware } from './middleware/plan-middleware.ts'
import { type Application, readApplication, type ReadingOptions, type ReadingParts } from './read-application.ts'
import { readServerTimeouts, type ServerTimeoutOptions, type ServerTimeouts } from '../server-timeouts.ts'

type ErrorHandler = ReturnType<typeof createErrorHandler>

/** The middleware that extensions of the application handle. */
interface HonouringOptions {
  readonly extensions?: readonly { readonly middleware?: readonly string[] }[] | undefined
}

/** Options of `boot`, with the additional limits of `createServer`. */
type PreparedOptions = ReadingOptions &
  HonouringOptions & { readonly serverTimeouts?: ServerTimeoutOptions | undefined }

/** An application that was read, with the plan of its middleware. */
export interface PreparedApplication {
  readonly application: Application
  readonly plan: MiddlewarePlan
  /** Time limits for clients and for shutdown. */
  readonly timeouts: ServerTimeouts
}

/**
 * Reads an application and plans its middleware.
 * @throws {DefinitionError} the application is invalid; the subclass names the reason
 */
export function prepareApplication(options: PreparedOptions, parts: ReadingParts = {}): PreparedApplication {
  const application = readApplication(options, parts)
  const timeouts = readServerTimeouts(options.serverTimeouts, application.checked.serverTimeouts)
  const { folder, version, middleware, add } = application
  const honoured = honouredMiddleware(options)
  const plan = planMiddleware(middleware, { version, folder, add, honoured })
  if (plan.restPaths.length === 0)
    add(
      'info',
      { file: 'server/middleware.json', key: 'routes' },
      'no loopback#rest: the REST API is not mounted unless a boot script does'
    )
  return { application, plan, timeouts }
}

/** The middleware that extensions of the application handle. */
export function honouredMiddleware({ extensions = [] }: HonouringOptions): ReadonlySet<string> {
  return new Set(['loopback-component-oauth2#authenticate', ...extensions.flatMap(({ middleware = [] }) => middleware)])
}

/** Handles errors outside the REST API as LoopBack's error handler does. */
export function serverErrorHandler({ plan }: PreparedApplication): ErrorHandler {
  const { options, page } = plan.errors
  const rules = rulesOf(3, true)
  const negotiated = createErrorHandler(options, rules)
  if (!page) return negotiated
  const alwaysPage = createErrorHandler({ ...options, negotiateContentType: false, defaultType: 'html' }, rules)
  // LB3: version 2 shows a page to clients that accept anything; pinned by version2/errors.
  return (thrown, request, reply) => {
    const { accept = '*/*' } = request.headers
    const handle = accept === '*/*' ? alwaysPage : negotiated
    handle(thrown, request, reply)
  }
}
