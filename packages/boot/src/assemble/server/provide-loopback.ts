import { createOwnApplication } from './own-server.ts'
import { createFacade, provideFacade } from '../facade/facade.ts'
import type { ServerOptions } from './make-server.ts'

/** Options for providing `require('loopback')` to a process that Modelwire did not start. */
export interface LoopBackOptions extends Partial<ServerOptions> {
  /** The folder of the application's `package.json`. */
  readonly root: string
}

/**
 * Implements `require('loopback')` in an application's own process: `loopback()` creates applications, which start when
 * their scripts call `app.listen()`. From then on its scripts, and the packages installed for it, can also require
 * `loopback-boot` and related modules.
 */
export function provideLoopBack({ root, ...options }: LoopBackOptions): unknown {
  const bootOptions = { logger: { level: 'warn' }, ...options, dir: options.dir ?? root }
  const facade = createFacade({ root, make: () => createOwnApplication(bootOptions) })
  return provideFacade(facade).find('loopback')?.exports
}
