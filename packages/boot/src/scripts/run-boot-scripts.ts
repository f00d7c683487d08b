import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type AppFolder, isFolder } from '../app-folder.ts'
import type { AddNote } from '../boot-report.ts'
import { callHook, isFunction } from '../callback-bridge.ts'
import { ScriptFailed } from '../errors.ts'
import { messageOf, scriptEndings } from './load-script.ts'
import type { LoadScript } from './script-loader.ts'
import type { ScriptApp } from './script-app.ts'
import { tellWhenSlow } from './tell-when-slow.ts'
import type { MountList } from '@modelwire/loopback-express'

/** What running boot scripts needs. */
export interface BootScripts {
  readonly folder: AppFolder
  readonly app: ScriptApp
  readonly mounts: MountList
  readonly loadScript: LoadScript
  readonly add: AddNote
  readonly warn: (message: string) => void
}

/** Milliseconds after which the log names a script that the start waits for. */
const patience = 10_000

/**
 * Runs the scripts of `server/boot` one after the other, in alphabetical order: `(app)`, `(app, callback)`, or with a
 * promise. One that never calls back stops the start, as in LoopBack; the log names it.
 * @throws {ScriptFailed} a script failed; `cause` is its error
 */
export async function runBootScripts({ folder, app, mounts, loadScript, add, warn }: BootScripts): Promise<void> {
  for (const path of await findBootScripts(folder, add)) {
    mounts.file = folder.nameOf(path)
    const script = await loadScript(path)
    const { file } = mounts
    const slow = (): void => warn(`${file} has not called back yet: the start waits for it`)
    if (isFunction(script))
      await tellWhenSlow(
        run(() => callHook(script, undefined, [app]), file),
        patience,
        slow
      )
    else add('info', { file }, 'it exports no function: nothing is called')
  }
  app.booting = false
}

async function run(script: () => Promise<void>, file: string): Promise<void> {
  try {
    await script()
  } catch (cause) {
    // An error of ours that names the file already says more than its wrapping would.
    if (cause instanceof Error && 'where' in cause && 'code' in cause) throw cause
    throw new ScriptFailed(`the boot script failed: ${messageOf(cause)}`, { file }, { cause })
  }
}

async function findBootScripts({ serverDir, nameOf }: AppFolder, add: AddNote): Promise<string[]> {
  const path = join(serverDir, 'boot')
  if (!(await isFolder(path))) return []
  const entries = (await readdir(path, { withFileTypes: true })).filter(
    (entry) => entry.isFile() && scriptEndings.includes(extname(entry.name).slice(1))
  )
  const hidden = entries.filter(({ name }) => name.startsWith('.'))
  for (const { name } of hidden)
    add('ignored', { file: nameOf(join(path, name)) }, 'hidden files are not run', { effect: 'info' })
  const names = entries.filter((entry) => !hidden.includes(entry)).map(({ name }) => name)
  return names.toSorted(byLowerCase).map((name) => join(path, name))
}

// LB3: capital letters stand where small ones do.
function byLowerCase(one: string, other: string): number {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()]
  if (left === right) return 0
  return left < right ? -1 : 1
}
