import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { ViewEngineMissing } from '../errors.ts'
import { type ExpressApplication, loadExpress } from '../middleware/express-module.ts'
import { isFunction } from '../script-function.ts'

type Rendered = (error: unknown, text?: string) => void

/** Where an application lies. */
export interface ViewFolder {
  /** Has the folder `views`. */
  readonly root: string
  /** View engines are packages that are found from here. */
  readonly serverDir: string
}

/** Who knows the settings of an application. */
export interface ReadSettings {
  readonly get: (name: string) => unknown
}

/** What an application uses of an application of Express besides handlers: settings and pages. */
export interface ExpressHost {
  /** Values that every page is given. */
  readonly locals: Record<string, unknown>
  /** Makes what Express derives from settings, such as `trust proxy fn`, available. */
  readonly start: () => void
  /** A setting as Express has it; undefined as long as Express is not used. */
  readonly setting: (name: string) => unknown
  /** The application of Express, which is loaded for it. */
  readonly application: () => ExpressApplication
  readonly engine: (extension: string, engine: unknown) => void
  /** Renders a page: the error of `callback` is a `ViewEngineMissing` where no engine is set. */
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

/** Makes the host of one application. Express is loaded at the first use. */
export function createExpressHost(folder: ViewFolder, settings: ReadSettings): ExpressHost {
  let made: ExpressApplication | undefined
  const engines = new Map<string, unknown>()
  const locals: Record<string, unknown> = {}
  const host = (): ExpressApplication => {
    made ??= loadExpress()()
    applySettings(made, folder, settings)
    return made
  }
  return {
    locals,
    start: () => void host(),
    application: host,
    setting: (name) => made?.get(name),
    engine: (extension, engine) => void engines.set(extension.replace(/^\./, ''), engine),
    render: (name, options, callback) => {
      const [given, done] = isFunction(options) ? [{}, options] : [options, callback]
      const answer = (isFunction(done) ? done : () => {}) as Rendered // Express calls it
      try {
        const extension = extname(name).slice(1) || String(settings.get('view engine') ?? '')
        const app = host()
        app.engine(extension, engines.get(extension) ?? findEngine(folder, extension))
        app.render(name, { ...locals, ...Object(given) }, answer)
      } catch (error) {
        answer(error)
      }
    }
  }
}

function applySettings(app: ExpressApplication, { root }: ViewFolder, settings: ReadSettings): void {
  const defaults = { 'query parser': 'extended', views: join(root, 'views') }
  for (const [name, value] of Object.entries(defaults)) app.set(name, value)
  for (const name of names) {
    const value = settings.get(name)
    if (value !== undefined) app.set(name, value)
  }
}

/** The engine of an extension: the package of that name beside the application. */
function findEngine({ serverDir }: ViewFolder, extension: string): unknown {
  if (extension === '') throw new ViewEngineMissing('to render a page, set the view engine: app.set("view engine", …)')
  try {
    const module: unknown = createRequire(join(serverDir, 'package.json'))(extension)
    return Reflect.get(Object(module), '__express')
  } catch (cause) {
    throw new ViewEngineMissing(`the view engine "${extension}" is not installed beside the application`, { cause })
  }
}
