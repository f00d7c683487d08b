import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MongoClient } from 'mongodb'
import { findPort } from '../test-case.ts'

/** A `mongod` that a test may kill: its own data, its own port. */
export interface Mongod {
  readonly url: string
  /** Kills it as the system does when it runs out of memory. */
  readonly crash: () => Promise<void>
  /** Starts it again; resolves when it answers. */
  readonly restart: () => Promise<void>
  /** Ends it and removes its data. */
  readonly stop: () => Promise<void>
}

const program = (): string => process.env['MODELWIRE_MONGOD'] ?? 'mongod'

/** Why no `mongod` can be started here; false where one can. */
export async function whyNoMongod(): Promise<string | false> {
  try {
    await promisify(execFile)(program(), ['--version'])
    return false
  } catch {
    return 'needs a mongod to kill: on the PATH, or at MODELWIRE_MONGOD'
  }
}

/** Starts a single `mongod` on a free port. */
export async function startMongod(): Promise<Mongod> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-mongod-'))
  const port = await findPort()
  const url = `mongodb://127.0.0.1:${port}/faults`
  let child = await start(folder, port, url)
  const crash = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  return {
    url,
    crash,
    restart: async () => {
      child = await start(folder, port, url)
    },
    stop: async () => {
      await crash()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function start(folder: string, port: number, url: string): Promise<ChildProcess> {
  const child = spawn(program(), ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1'], {
    stdio: 'ignore'
  })
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 30_000 })
  try {
    await client.db().command({ ping: 1 })
  } finally {
    await client.close()
  }
  return child
}
