import Module, { createRequire } from 'node:module'
import { join } from 'node:path'
import { type AppFolder, type FolderSource, isFile } from '../../read/files/app-folder.ts'
import { createFacade, type Facade, provideFacade } from '../facade/facade.ts'
import { forgetScripts } from '../facade/provide-modules.ts'
import type { BootOptions } from '../../options.ts'
import { isFunction, messageOf, ScriptFailed } from '@modelwire/loopback/express'
import { importHint, registerTypeScript } from '../../read/files/load-script.ts'
import { failWhenIdle, warnWhenSlow } from '../application/run-boot-scripts.ts'
import { LoopBackApplication, type ServerHost } from '../application/loopback-application.ts'

const running = new Map<string, Promise<unknown>>()

/** How an application is started. */
export interface StartParts {
  /** Reads its files instead of the file system; none of its scripts is run. */
  readonly source?: FolderSource | undefined
  /** Creates the result of a further call of `loopback()` in a script. */
  readonly make: () => LoopBackApplication
  /** Its server script is the main module of the process, and starts the server as usual. */
  readonly isMain?: boolean | undefined
}

/** Milliseconds after which the log names what the start waits for. */
const slowStartMs = 10_000

/**
 * Starts an application: runs its `server/server.js`, which boots it, or boots it if there is none. Its boot scripts have
 * finished when it returns.
 * @throws {DefinitionError} the application is invalid; the subclass names the reason
 */
export async function startApplication(
  options: BootOptions,
  host: ServerHost,
  parts: StartParts
): Promise<LoopBackApplication> {
  const application = new LoopBackApplication(options, host, parts.source)
  // Modules of Node are known by their files: one start of a folder is over before the next one begins.
  return inTurn(application.folder.root, () => start(application, host, parts))
}

async function start(
  application: LoopBackApplication,
  host: ServerHost,
  { source, make, isMain = false }: StartParts
): Promise<LoopBackApplication> {
  const { folder } = application
  const facade = createFacade({ root: folder.root, first: application, make })
  if (source === undefined) forgetScripts(folder.root)
  const { end } = provideFacade(facade)
  try {
    const script = serverScriptOf(folder)
    if (source !== undefined) bootUnrun(facade.take(), source, script)
    else if (script === undefined) facade.take().boot()
    else await runServerScript(facade, application, { folder, script, isMain, warn: (text) => host.log.warn(text) })
    await application.booted()
    // Listeners of scripts run before routes are mounted.
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  } catch (error) {
    end()
    await application.abandon(error)
    throw error
  }
  application.server.addHook('onClose', async () => end())
  return application
}

/** What stands in for a script that is not run does what can be known of it. */
function bootUnrun(application: LoopBackApplication, source: FolderSource, script: string | undefined): void {
  application.boot()
  const standIn = script === undefined ? undefined : source.loadScript(application.folder, script)
  if (isFunction(standIn)) standIn(application.app)
}

/** `server/server.js`, or what `main` of the package names; undefined where there is none. */
function serverScriptOf({ serverDir }: AppFolder): string | undefined {
  return ['server.js', 'server.cjs', 'server.ts'].map((name) => join(serverDir, name)).find(isFile)
}

interface ServerScript {
  readonly folder: AppFolder
  readonly script: string
  readonly isMain: boolean
  readonly warn: (message: string) => void
}

async function runServerScript(
  facade: Facade,
  application: LoopBackApplication,
  { folder, script, isMain, warn }: ServerScript
): Promise<void> {
  const file = folder.nameOf(script)
  application.hasServerScript = true
  try {
    if (script.endsWith('.ts')) registerTypeScript(folder, script)
    load(script, isMain)
  } catch (cause) {
    const failure = application.failure ?? cause
    // A Modelwire error names the file already.
    if (failure instanceof Error && 'where' in failure && 'code' in failure) throw failure
    throw new ScriptFailed(`the script cannot be run: ${importHint(cause) ?? messageOf(cause)}`, { file }, { cause })
  }
  const slow = (): void =>
    warn(
      facade.isTaken()
        ? `waiting for ${file} to call boot or app.listen`
        : `waiting for ${file} to create an application by loopback()`
    )
  const idle = (): Error => new ScriptFailed('the script ended without calling boot or app.listen', { file })
  await failWhenIdle(warnWhenSlow(application.begun, slowStartMs, slow), idle)
}

/** Scripts look at `require.main`, to start only where they are run by themselves. */
function load(path: string, isMain: boolean): void {
  if (!isMain) {
    createRequire(path)(path)
    return
  }
  const loadModule = Reflect.get(Module, '_load') as (file: string, parent: null, isMain: boolean) => unknown // Node has it
  loadModule(path, null, true)
}

/** Runs work of the same name one after the other, in the order of the calls. */
async function inTurn<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  const before = running.get(name)
  const own = before === undefined ? work() : after(before, work)
  running.set(name, own)
  try {
    return await own
  } finally {
    if (running.get(name) === own) running.delete(name)
  }
}

async function after<Value>(before: Promise<unknown>, work: () => Promise<Value>): Promise<Value> {
  await Promise.allSettled([before])
  return work()
}
