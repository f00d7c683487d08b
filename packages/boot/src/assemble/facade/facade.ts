import { ScriptArgumentInvalid } from '@modelwire/loopback/express'
import type { LoopBackApplication } from '../application/loopback-application.ts'
import { bootFunction } from './boot-function.ts'
import { isProvided, requiredName } from '../../read/files/provided-names.ts'
import { type FindModule, provideModules } from './provide-modules.ts'
import { explorerRoutes, mountExplorer } from '../application/explorer-component.ts'
import { jugglerModules, loopbackModules, ModuleNotProvided } from '@modelwire/loopback/api'
import { passportModules } from './passport-modules.ts'

/** Modules that scripts may require, each created on first use. */
type ModuleFactories = Readonly<Record<string, () => unknown>>

/** What to do in place of requiring a module. */
const advice: Readonly<Record<string, string>> = {
  'loopback-component-oauth2': 'list it in component-config.json',
  'loopback-component-storage': 'use it as the connector of a data source, and install @modelwire/storage'
}

/** LoopBack as required by the scripts of one folder: `loopback`, `loopback-boot` and related modules. */
export interface Facade {
  /** The application that `loopback()` last returned or will return; created if there is none yet. */
  readonly current: () => LoopBackApplication
  /** The result of `loopback()`: the waiting application, else a new one. */
  readonly take: () => LoopBackApplication
  /** True once `loopback()` has returned the waiting application. */
  readonly isTaken: () => boolean
  /** The application of an `app`. @throws {ScriptArgumentInvalid} it is none of this folder's */
  readonly applicationOf: (app: unknown) => LoopBackApplication
  /** The folder of the scripts, for messages. */
  readonly root: string
}

/** How the applications of a folder are created. */
export interface FacadeParts {
  readonly root: string
  /** The application that the first `loopback()` returns. */
  readonly first?: LoopBackApplication | undefined
  /** Creates further ones. */
  readonly make: () => LoopBackApplication
}

/** Creates LoopBack for the scripts of one folder. */
export function createFacade({ root, first, make }: FacadeParts): Facade {
  const applications = new Map<unknown, LoopBackApplication>()
  let waiting = first
  let last: LoopBackApplication | undefined
  let isTaken = false
  const keep = (application: LoopBackApplication): LoopBackApplication => {
    applications.set(application.app, application)
    return application
  }
  if (first !== undefined) keep(first)
  return {
    root,
    current: () => last ?? (waiting ??= keep(make())),
    take: () => {
      last = waiting ?? keep(make())
      waiting = undefined
      isTaken = true
      return last
    },
    isTaken: () => isTaken,
    applicationOf: (app) => {
      const application = applications.get(app)
      if (application !== undefined) return application
      throw new ScriptArgumentInvalid('boot needs the application returned by loopback()')
    }
  }
}

/** What scripts get for a name that they require. */
function findModuleIn(facade: Facade): FindModule {
  const made = new Map<string, { readonly exports: unknown }>()
  const factories = moduleFactories(facade, {
    loopback: () => loopbackFunction(facade),
    'loopback-boot': () => bootFunction(facade)
  })
  return (request) => {
    const name = requiredName(request)
    const factory = factories.get(name) ?? (isProvided(name) ? () => moduleOfExtension(facade, name) : undefined)
    if (factory === undefined) return undefined
    const found = made.get(name) ?? { exports: factory() }
    made.set(name, found)
    return found
  }
}

/** LoopBack, while the scripts of a folder may require it. */
export interface ProvidedFacade {
  readonly find: FindModule
  readonly end: () => void
}

/** Lets the scripts of a folder require LoopBack. */
export function provideFacade(facade: Facade): ProvidedFacade {
  const find = findModuleIn(facade)
  return { find, end: provideModules(facade.root, find) }
}

/**
 * `require('loopback')`: a function that gives an application, with everything that LoopBack's module has, of the application that
 * it gave last.
 */
function loopbackFunction(facade: Facade): object {
  const target = (): unknown => facade.take().app
  const members = (): object => facade.current().app.loopback
  return new Proxy(target, {
    get: (_target, key) => Reflect.get(members(), key) as unknown,
    has: (_target, key) => Reflect.has(members(), key) || Reflect.has(target, key),
    ownKeys: () => Reflect.ownKeys(members()),
    getOwnPropertyDescriptor: (_target, key) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(members(), key)
      return descriptor && { ...descriptor, configurable: true }
    },
    set: (_target, key, value) => Reflect.set(members(), key, value),
    defineProperty: (_target, key, descriptor) => Reflect.defineProperty(members(), key, descriptor)
  })
}

/** The modules of LoopBack that scripts of its applications require. */
function moduleFactories(facade: Facade, main: ModuleFactories): ReadonlyMap<string, () => unknown> {
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

/** The module that an extension provides. @throws {ModuleNotProvided} none does */
function moduleOfExtension(facade: Facade, name: string): unknown {
  const application = facade.current()
  // Extensions provide their modules with the models.
  void application.app.registry
  const found = application.modules.get(name)
  if (found !== undefined) return found
  throw new ModuleNotProvided(`scripts cannot require the module "${name}": ${advice[name] ?? 'use app.loopback'}`)
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
