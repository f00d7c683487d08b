import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'chokidar'
import { applicationFilesIn } from './application-files.ts'
import type { Terminal } from '../terminal.ts'
import { untilStopped } from './until-stopped.ts'

/** Milliseconds without a further change before the application starts again: editors write several files. */
const calm = 100
/** Milliseconds that a running application gets to end. */
const stopTimeoutMs = 5000

/** Starts the same command in a process of its own, without watching. */
function startProcess(): ChildProcess {
  const args = process.argv.slice(1).filter((argument) => argument !== '--watch' && argument !== '-w')
  return spawn(process.execPath, [...process.execArgv, ...args], { stdio: 'inherit' })
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  await ended
  clearTimeout(late)
}

/**
 * Runs the command in a child process, and restarts it whenever a file of the application changes, until this process
 * receives a signal to end. Loaded modules cannot be reloaded, so a new process is required.
 */
export async function watchFolder(dir: string, terminal: Terminal): Promise<void> {
  let child = startProcess()
  let restarting: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const restart = async (): Promise<void> => {
    await restarting
    restarting = stopProcess(child)
    await restarting
    child = startProcess()
  }
  const application = applicationFilesIn(dir)
  const watcher = watch(dir, { ignoreInitial: true, ignored: (path) => !application.isFolder(path) })
  watcher.on('all', (_event, path) => {
    if (!application.isFile(path)) return
    terminal.err(terminal.style('dim', `${path.slice(dir.length + 1)} changed`))
    clearTimeout(timer)
    timer = setTimeout(() => void restart(), calm)
  })
  await untilStopped()
  clearTimeout(timer)
  await watcher.close()
  await stopProcess(child)
}
