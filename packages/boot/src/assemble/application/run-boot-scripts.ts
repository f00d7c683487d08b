import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Awaitable } from '@modelwire/server'
import { type AppFolder, isFile, isFolder } from '../../read/files/app-folder.ts'
import type { AddNote } from '../../boot-report.ts'
import { callBridged, isPromiseLike, type ScriptApp } from '@modelwire/loopback/api'
import { isFunction, messageOf, type MountList, ScriptFailed, type ScriptFunction } from '@modelwire/loopback/express'
import { type LoadScript, scriptsAmong } from '../../read/files/load-script.ts'
import { withResolvers } from '../../with-resolvers.ts'

/** Boot scripts in addition to those of `server/boot`, as in `boot(app, options)`. */
export interface BootScriptSources {
  /** Folders, relative to that of the configuration files. */
  readonly bootDirs?: readonly string[]
  /** Files, relative to that folder; they come last. */
  readonly bootScripts?: readonly string[]
  /** True if nothing of the folder is run. */
  readonly isPlain?: boolean
}

/** The context of running boot scripts. */
export interface BootScripts {
  readonly folder: AppFolder
  readonly app: ScriptApp
  readonly mounts: MountList
  readonly loadScript: LoadScript
  readonly add: AddNote
  readonly warn: (message: string) => void
  readonly sources?: BootScriptSources
}

/** Milliseconds after which the log names a script that the start waits for. */
const slowStartMs = 10_000

/**
 * Runs the scripts of `server/boot` one after the other, in alphabetical order: `(app)`, `(app, callback)`, or returning a
 * promise. One that never calls back blocks startup, as in LoopBack; the log names it. If none is asynchronous, all have
 * run when it returns.
 * @throws {ScriptFailed} a script failed; `cause` is its error
 */
export function runBootScripts(parts: BootScripts): Awaitable<void> {
  return runInOrder(parts, findBootScripts(parts))
}

function runInOrder(parts: BootScripts, paths: readonly string[]): Awaitable<void> {
  for (const [index, path] of paths.entries()) {
    const running = runOne(parts, path)
    if (running !== undefined) return continueAfter(running, parts, paths.slice(index + 1))
  }
  parts.app.booting = false
  return undefined
}

async function continueAfter(running: Promise<void>, parts: BootScripts, rest: readonly string[]): Promise<void> {
  await running
  await runInOrder(parts, rest)
}

/** A promise where the script has to be waited for. */
function runOne({ folder, app, mounts, loadScript, add, warn }: BootScripts, path: string): Promise<void> | undefined {
  const file = folder.nameOf(path)
  mounts.file = file
  const script = loadScript(path)
  if (!isFunction(script)) {
    add('info', { file }, 'it does not export a function, so it has no effect')
    return undefined
  }
  const running = callScript(script, app, file)
  if (running === undefined) return undefined
  const slow = (): void => warn(`waiting for ${file} to call its callback`)
  const idle = (): Error =>
    new ScriptFailed('the boot script never called its callback, and no pending work could still call it', { file })
  return failWhenIdle(warnWhenSlow(running, slowStartMs, slow), idle)
}

function callScript(script: ScriptFunction, app: ScriptApp, file: string): Promise<void> | undefined {
  try {
    const answer = script.length > 1 ? callBridged(script, undefined, [app]) : script(app, () => {})
    return isPromiseLike(answer) ? settle(answer, file) : undefined
  } catch (cause) {
    throw failureOf(cause, file)
  }
}

async function settle(answer: PromiseLike<unknown>, file: string): Promise<void> {
  try {
    await answer
  } catch (cause) {
    throw failureOf(cause, file)
  }
}

function failureOf(cause: unknown, file: string): Error {
  // A Modelwire error that names the file is already more specific than its wrapping.
  if (cause instanceof Error && 'where' in cause && 'code' in cause) return cause
  return new ScriptFailed(`the boot script failed: ${messageOf(cause)}`, { file }, { cause })
}

/** @throws {ScriptFailed} a file that was named is not there */
function findBootScripts({ folder, add, sources = {} }: BootScripts): readonly string[] {
  const { serverDir, nameOf } = folder
  if (sources.isPlain === true) return []
  const folders = [join(serverDir, 'boot'), ...(sources.bootDirs ?? []).map((dir) => resolve(serverDir, dir))]
  const named = (sources.bootScripts ?? []).map((script) => resolve(serverDir, script))
  const missing = named.find((path) => !isFile(path))
  if (missing !== undefined) throw new ScriptFailed('the boot script does not exist', { file: nameOf(missing) })
  return [...new Set([...folders.flatMap((path) => scriptsIn(folder, path, add)), ...named])]
}

function scriptsIn({ nameOf }: AppFolder, path: string, add: AddNote): readonly string[] {
  if (!isFolder(path)) return []
  const files = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile())
  const scripts = scriptsAmong(files.map(({ name }) => name))
  const hidden = scripts.filter((name) => name.startsWith('.'))
  for (const name of hidden)
    add('ignored', { file: nameOf(join(path, name)) }, 'hidden files are not run', { effect: 'info' })
  const names = scripts.filter((name) => !hidden.includes(name))
  return names.toSorted(byLowerCase).map((name) => join(path, name))
}

// LB3: capital letters stand where small ones do.
function byLowerCase(one: string, other: string): number {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()]
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Waits for `work`; rejects if the process has nothing left to do, so that `work` could never finish. */
export async function failWhenIdle(work: Promise<void>, makeError: () => Error): Promise<void> {
  const { promise: idle, reject } = withResolvers()
  const fail = (): void => reject(makeError())
  process.once('beforeExit', fail)
  try {
    await Promise.race([work, idle])
  } finally {
    process.off('beforeExit', fail)
  }
}

/** Waits for `work`, and warns once if it takes longer than `milliseconds`. It does not keep the process alive. */
export async function warnWhenSlow(work: Promise<void>, milliseconds: number, warn: () => void): Promise<void> {
  const timer = setTimeout(warn, milliseconds).unref()
  try {
    await work
  } finally {
    clearTimeout(timer)
  }
}
