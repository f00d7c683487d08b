import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Connector } from '@modelwire/core/connector'
import { serveEntries } from './serve-entries.ts'

/** A server of entries in a process of its own. */
export interface SpawnedServer {
  readonly url: string
  /** Ends the process without letting it do anything more. */
  readonly kill: () => Promise<void>
}

/** What a process that `spawnServer` starts does: serves the entries of the connector that its argument sets up. */
export async function serveSpawned(create: (settings: Readonly<Record<string, unknown>>) => Connector): Promise<void> {
  // `spawnServer` wrote the argument.
  const settings = JSON.parse(process.argv[2] ?? '{}') as Record<string, unknown>
  const { url } = await serveEntries(create(settings))
  process.stdout.write(`${url}\n`)
}

/** Starts `file`, which calls `serveSpawned`, and waits until it listens. */
export async function spawnServer(file: string, settings: Readonly<Record<string, unknown>>): Promise<SpawnedServer> {
  const child = spawn(process.execPath, [file, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await firstLine(child)
  return {
    url,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    }
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (piece: Buffer) => {
      text += piece.toString()
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened`)))
  })
}
