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
  /** Values for every page. */
  readonly locals: Record<string, unknown>
  /** Makes what Express derives from settings, such as `trust proxy fn`, available. */
  readonly start: () => void
  /** Called for a setting that changes. */
  readonly change: (name: string, value: unknown) => void
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
    throw new ViewEngineMissing(`the view engine "${extension}" is not installed beside the application`, { cause })
  }
}
