import { explorerRoutes, mountExplorer } from '../components/explorer-component.ts'
import { ModuleNotProvided } from '../errors.ts'
import type { Facade } from './facade.ts'
import { jugglerModules } from './juggler-module.ts'
import { passportModules } from '../passport/passport-modules.ts'
import { loopbackModules } from './loopback-modules.ts'

/** What scripts may require, each made when the first of them does. */
export type ModuleFactories = Readonly<Record<string, () => unknown>>

/** The modules of LoopBack that scripts of its applications require. */
export function moduleFactories(facade: Facade, main: ModuleFactories): ReadonlyMap<string, () => unknown> {
  const factories: ModuleFactories = {
    ...main,
    'loopback/lib/loopback': () => main['loopback']?.(),
    ...loopbackModules(facade),
    ...jugglerModules(facade),
    ...passportModules(facade),
    'loopback-component-explorer': () => explorerFunction(facade)
  }
  return new Map(Object.entries(factories))
}

/** What to do in place of requiring a module. */
const advice: Readonly<Record<string, string>> = {
  'loopback-component-oauth2': 'name it in component-config.json',
  'loopback-component-storage': 'name it as the connector of a data source, and install @modelwire/storage'
}

/** The module that an extension provides. @throws {ModuleNotProvided} none does */
export function moduleOfExtension(facade: Facade, name: string): unknown {
  const application = facade.current()
  // Extensions provide their modules with the models.
  void application.app.registry
  const found = application.modules.get(name)
  if (found !== undefined) return found
  throw new ModuleNotProvided(`the module "${name}" is not provided to scripts: ${advice[name] ?? 'use app.loopback'}`)
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
