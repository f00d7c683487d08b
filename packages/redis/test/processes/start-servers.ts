import { fileURLToPath } from 'node:url'
import { type SpawnedServer, spawnServer } from '@modelwire/connector-tests'
import type { Test } from 'tap'
import type { ServerSettings } from './server.ts'

const file = fileURLToPath(new URL('server.js', import.meta.url))

/** An answer of a server. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** What a request has besides its path. */
export interface RequestParts {
  readonly body?: object
  readonly token?: string | undefined
  /** The address of the client. */
  readonly from?: string
  readonly key?: string
}

/** A server in a process of its own. */
export interface Server extends SpawnedServer {
  readonly send: (method: string, path: string, parts?: RequestParts) => Promise<Answer>
}

async function send(
  url: string,
  method: string,
  path: string,
  { body, token, from, key }: RequestParts
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: token }),
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      ...(key === undefined ? {} : { 'idempotency-key': key })
    }
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
}

/** Starts three servers of one application, until the test is over. The first makes the tables. */
export async function startServers(
  t: Test,
  settings: Omit<ServerSettings, 'migrates'>
): Promise<[Server, Server, Server]> {
  const start = async (migrates: boolean): Promise<Server> => {
    const spawned = await spawnServer(file, { ...settings, migrates })
    t.teardown(spawned.kill)
    return { ...spawned, send: (method, path, parts = {}) => send(spawned.url, method, path, parts) }
  }
  const first = await start(true)
  const [second, third] = await Promise.all([start(false), start(false)])
  return [first, second, third]
}
