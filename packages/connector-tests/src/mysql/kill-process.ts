import type { ChildProcess } from 'node:child_process'

/** Kills a process as the system does when it runs out of memory; resolves when it is gone. */
export async function killProcess(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}
