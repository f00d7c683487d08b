import { isFunction, ScriptArgumentInvalid } from '@modelwire/loopback/express'
import type { BootInstructions, LoopBackApplication } from '../application/loopback-application.ts'
import type { ConfigName } from '../../read/read-application.ts'
import type { Facade } from './facade.ts'
import { isPlainObject } from '@modelwire/server'

type BootFunction = (app: unknown, options?: unknown, callback?: unknown) => unknown

/**
 * Implements `require('loopback-boot')`: `boot(app, folder)`, `boot(app, { appRootDir, env, bootDirs, bootScripts })`, with
 * or without a callback. Models exist when it returns; the callback is called after the boot scripts.
 * @see LoopBack 3: loopback-boot, index.js
 */
export function bootFunction(facade: Facade): BootFunction {
  return (app, instructions, last) => {
    const [options, callback] = isFunction(instructions) ? [undefined, instructions] : [instructions, last]
    const application = facade.applicationOf(app)
    const report = isFunction(callback) ? (error?: unknown) => void callback(error) : undefined
    try {
      application.boot(readInstructions(options))
    } catch (error) {
      application.fail(error)
      if (report === undefined) throw error
      process.nextTick(() => reportOnce(application, report, error))
      return app
    }
    void conclude(application, report)
    return app
  }
}

async function conclude(
  application: LoopBackApplication,
  report: ((error?: unknown) => void) | undefined
): Promise<void> {
  const [outcome] = await Promise.allSettled([application.booted()])
  const error: unknown = outcome.status === 'rejected' ? outcome.reason : undefined
  // A callback that throws ends the process, as in LoopBack.
  process.nextTick(() => {
    if (report !== undefined) reportOnce(application, report, error)
    else if (error !== undefined && !application.isHeld) throwAgain(error)
  })
}

/** What a script throws need not be an error. */
function throwAgain(thrown: unknown): never {
  throw thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown })
}

/** A caller that waits for the server gets the error: a callback that throws it again is ignored. */
function reportOnce(application: LoopBackApplication, report: (error?: unknown) => void, error: unknown): void {
  try {
    report(error)
  } catch (thrown) {
    if (thrown !== error || !application.isHeld) throw thrown
  }
}

const config =
  (name: ConfigName) =>
  (value: unknown): BootInstructions => {
    if (isPlainObject(value)) return { configs: { [name]: value } }
    throw new ScriptArgumentInvalid(`boot: the configuration ${name} must be an object`)
  }

const folder =
  (name: ConfigName) =>
  (value: unknown): BootInstructions => ({ folders: { [name]: String(value) } })

const textsOf = (value: unknown, name: string): readonly string[] => {
  const list = [value ?? []].flat()
  if (list.every((item) => typeof item === 'string')) return list
  throw new ScriptArgumentInvalid(`boot: ${name} must be a list of strings`)
}

/** Options of LoopBack's boot that mean something here. */
const readers: Readonly<Record<string, (value: unknown) => BootInstructions>> = {
  appRootDir: (value) => ({ dir: String(value) }),
  rootDir: (value) => ({ dir: String(value) }),
  env: (value) => ({ env: String(value) }),
  config: config('config'),
  appConfig: config('config'),
  application: config('config'),
  dataSources: config('datasources'),
  models: config('model-config'),
  middleware: config('middleware'),
  components: config('component-config'),
  appConfigRootDir: folder('config'),
  dsRootDir: folder('datasources'),
  modelsRootDir: folder('model-config'),
  middlewareRootDir: folder('middleware'),
  componentRootDir: folder('component-config'),
  modelSources: (value) => ({ modelSources: textsOf(value, 'modelSources') }),
  mixinSources: (value) => ({ mixinSources: textsOf(value, 'mixinSources') }),
  mixinDirs: (value) => ({ mixinSources: textsOf(value, 'mixinDirs') }),
  bootDirs: (value) => ({ bootDirs: textsOf(value, 'bootDirs') }),
  bootScripts: (value) => ({ bootScripts: textsOf(value, 'bootScripts') })
}

function readInstructions(options: unknown): BootInstructions {
  if (options === undefined) return {}
  if (typeof options === 'string') return { dir: options }
  if (!isPlainObject(options)) throw new ScriptArgumentInvalid('boot needs the folder of the application, or an object')
  const read = Object.entries(options).filter(([, value]) => value !== undefined && value !== null)
  return read.map(([name, value]) => readOption(name, value)).reduce(merge, {})
}

const merge = (one: BootInstructions, other: BootInstructions): BootInstructions => ({
  ...one,
  ...other,
  configs: { ...one.configs, ...other.configs },
  folders: { ...one.folders, ...other.folders }
})

function readOption(name: string, value: unknown): BootInstructions {
  const read = readers[name]
  if (read !== undefined) return read(value)
  throw new ScriptArgumentInvalid(`boot: the option ${name} is not supported: put it in a file of the application`)
}
