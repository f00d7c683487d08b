import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import type { LoopBackApplication } from '../application/loopback-application.ts'
import { bootFunction } from './boot-function.ts'
import { loopbackFunction } from './loopback-function.ts'
import { isProvided, requiredName } from './provided-names.ts'
import { type FindModule, provideModules } from './provide-modules.ts'
import { moduleFactories, moduleOfExtension } from './module-factories.ts'

/** LoopBack as the scripts of one folder require it: `loopback`, `loopback-boot` and what belongs to them. */
export interface Facade {
  /** The application that `loopback()` gave last, or will give; made where there is none yet. */
  readonly current: () => LoopBackApplication
  /** What `loopback()` gives: the application that waits for it, else a further one. */
  readonly take: () => LoopBackApplication
  /** True once `loopback()` has returned the waiting application. */
  readonly isTaken: () => boolean
  /** The application of an `app`. @throws {ScriptArgumentInvalid} it is none of this folder's */
  readonly applicationOf: (app: unknown) => LoopBackApplication
  /** The script that scripts run in, for messages. */
  readonly root: string
}

/** How the applications of a folder are made. */
export interface FacadeParts {
  readonly root: string
  /** The application that the first `loopback()` gives. */
  readonly first?: LoopBackApplication | undefined
  /** Makes further ones. */
  readonly make: () => LoopBackApplication
}

/** Makes LoopBack for the scripts of one folder. */
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
