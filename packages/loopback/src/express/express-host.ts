import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { ViewEngineMissing } from '../errors.ts'
import { type ExpressApplication, loadExpress } from './express-module.ts'
import { isFunction } from '../callback-bridge.ts'

type Rendered = (error: unknown, text?: string) => void

/** The folders of an application's views. */
export interface ViewFolder {
  /** Contains the folder `views`. */
  readonly root: string
  /** The folder from which view engine packages are resolved. */
  readonly serverDir: string
}

/** Reads the settings of an application. */
export interface ReadSettings {
  readonly get: (name: string) => unknown
}

/** The part of an Express application used besides handlers: settings and pages. */
export interface ExpressHost {
  /** Values for every page. */
  readonly locals: Record<string, unknown>
  /** Makes settings derived by Express, such as `trust proxy fn`, available. */
  readonly start: () => void
  /** Called when a setting changes. */
  readonly change: (name: string, value: unknown) => void
  /** The value of a setting in Express; undefined while Express is not used. */
  readonly setting: (name: string) => unknown
  /** The Express application, loading Express if necessary. */
  readonly application: () => ExpressApplication
  readonly engine: (extension: string, engine: unknown) => void
  /** Renders a page: the error of `callback` is a `ViewEngineMissing` if no engine is set. */
  readonly render: (name: string, options: unknown, callback: unknown) => void
}

/** Settings that Express reads. */
const names = [
  'etag',
  'jsonp callback name',
  'json escape',
  'json replacer',
  'json spaces',
  'query parser',
  'subdomain offset',
  'trust proxy',
  'view cache',
  'view engine',
  'views'
]

/** Makes the host of one application. Express is loaded on first use. */
export function createExpressHost(folder: ViewFolder, settings: ReadSettings): ExpressHost {
  let made: ExpressApplication | undefined
  const engines = new Map<string, unknown>()
  const locals: Record<string, unknown> = {}
  const host = (): ExpressApplication => (made ??= makeHost(folder, settings))
  return {
    locals,
    start: () => void host(),
    change: (name, value) => {
      if (made !== undefined && names.includes(name)) made.set(name, value)
    },
    application: host,
    setting: (name) => made?.get(name),
    engine: (extension, engine) => void engines.set(extension.replace(/^\./, ''), engine),
    render: (name, options, callback) => {
      const [viewOptions, done] = isFunction(options) ? [{}, options] : [options, callback]
      const answer = (isFunction(done) ? done : () => {}) as Rendered // Express calls it
      try {
        const extension = extname(name).slice(1) || String(settings.get('view engine') ?? '')
        const app = host()
        app.engine(extension, engines.get(extension) ?? findEngine(folder, extension))
        app.render(name, { ...locals, ...Object(viewOptions) }, answer)
      } catch (error) {
        answer(error)
      }
    }
  }
}

function makeHost({ root }: ViewFolder, settings: ReadSettings): ExpressApplication {
  const app = loadExpress()()
  app.set('query parser', 'extended')
  app.set('views', join(root, 'views'))
  for (const name of names) {
    const value = settings.get(name)
    if (value !== undefined) app.set(name, value)
  }
  return app
}

/** The engine of an extension: the package of that name beside the application. */
function findEngine({ serverDir }: ViewFolder, extension: string): unknown {
  if (extension === '') throw new ViewEngineMissing('to render a page, set the view engine: app.set("view engine", …)')
  try {
    const module: unknown = createRequire(join(serverDir, 'package.json'))(extension)
    return Reflect.get(Object(module), '__express')
  } catch (cause) {
    throw new ViewEngineMissing(`the view engine "${extension}" is not installed in the application`, { cause })
  }
}
