import { createOwnApplication } from './application/own-server.ts'
import { createFacade, provideFacade } from './facade/facade.ts'
import type { ServerOptions } from './make-server.ts'

/** How `require('loopback')` is provided to a process that Modelwire did not start. */
export interface LoopBackOptions extends Partial<ServerOptions> {
  /** The folder of the application's `package.json`. */
  readonly root: string
}

/**
 * What `require('loopback')` gives in an application of its own process: `loopback()` makes applications, which start when their
 * scripts call `app.listen()`. From then on its scripts, and the packages that are installed for it, get `loopback-boot` and
 * what belongs to it as well.
 */
export function provideLoopBack({ root, ...options }: LoopBackOptions): unknown {
  const bootOptions = { logger: { level: 'warn' }, ...options, dir: options.dir ?? root }
  const facade = createFacade({ root, make: () => createOwnApplication(bootOptions) })
  return provideFacade(facade).find('loopback')?.exports
}
