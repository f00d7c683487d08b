import { createErrorHandler, type RestOptions } from '@modelwire/rest'
import type { MiddlewarePlan } from './middleware/middleware-plan.ts'
import { planMiddleware } from './middleware/plan-middleware.ts'
import { type BootOptions, checkOptions } from './options.ts'
import { type Application, readApplication } from './read-application.ts'

/** An application that was read, with what its middleware comes to. */
export interface PreparedApplication {
  readonly application: Application
  readonly plan: MiddlewarePlan
}

/**
 * Reads an application and plans its middleware.
 * @throws {DefinitionError} one of its kinds says what is wrong with the application
 */
export async function prepareApplication(options: BootOptions): Promise<PreparedApplication> {
  checkOptions(options)
  const application = await readApplication(options)
  const { folder, version, middleware, add } = application
  const honoured = honouredMiddleware(options)
  const plan = planMiddleware(middleware, { version, folder, add, honoured })
  if (plan.restPaths.length === 0)
    add(
      'info',
      { file: 'server/middleware.json', key: 'routes' },
      'no loopback#rest: the REST API is not mounted unless a boot script does'
    )
  return { application, plan }
}

/** Middleware that extensions of the application take care of. */
export function honouredMiddleware({ extensions = [] }: BootOptions): ReadonlySet<string> {
  return new Set(extensions.flatMap(({ middleware = [] }) => middleware))
}

/** Answers errors outside the REST API as LoopBack's error handler does, with a page by default in version 2. */
export function serverErrorHandler({ application, plan }: PreparedApplication): ReturnType<typeof createErrorHandler> {
  const { options, defaultType } = plan.errors
  const own: NonNullable<RestOptions['errors']> = { defaultType, ...options }
  // Version 2 answers its API in a shape of its own, and everything else with a page.
  const shape = application.version === 2 && defaultType !== 'html' ? 2 : 3
  return createErrorHandler({ ...own, version: shape, compat: true })
}
