import { explorerRoutes, mountExplorer } from '../components/explorer-component.ts'
import type { Facade } from './facade.ts'
import { jugglerModules } from './juggler-module.ts'
import { passportModules } from '../passport/passport-modules.ts'
import { loopbackModules } from './loopback-modules.ts'

/** What scripts may require, each made when the first of them does. */
export type ModuleFactories = Readonly<Record<string, () => unknown>>

/** The modules of LoopBack that scripts of its applications require. */
export function moduleFactories(facade: Facade, main: ModuleFactories): ModuleFactories {
  return {
    ...main,
    'loopback/lib/loopback': () => main['loopback']?.(),
    ...loopbackModules(facade),
    ...jugglerModules(facade),
    ...passportModules(facade),
    'loopback-component-explorer': () => explorerFunction(facade),
    'loopback-component-oauth2': () => provided(facade, 'loopback-component-oauth2')
  }
}

function provided(facade: Facade, name: string): unknown {
  const application = facade.current()
  // Extensions provide their modules with the models.
  void application.app.registry
  return application.modules.get(name)
}

/** `require('loopback-component-explorer')`: `explorer(app, options)`, and `explorer.routes(app, options)`. */
function explorerFunction(facade: Facade): object {
  const mount = (app: unknown, options: object = {}): void =>
    mountExplorer(facade.applicationOf(app).app, { ...options })
  const routes = (app: unknown, options: object = {}): object => {
    facade.applicationOf(app)
    return explorerRoutes({ ...options })
  }
  return Object.assign(mount, { routes })
}
