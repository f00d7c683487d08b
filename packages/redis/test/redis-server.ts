import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { findPort } from '@modelwire/connector-tests'
import { until } from '@modelwire/test-waits'
import { Redis } from 'ioredis'
import type { Test } from 'tap'

/** Redis that tests share; each has a prefix of its own. */
export const redisUrl = process.env['MODELWIRE_REDIS_URL'] ?? 'redis://127.0.0.1:6379/9'

async function answers(url: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null, connectTimeout: 1000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.quit()
    return true
  } catch {
    client.disconnect()
    return false
  }
}

/** Why there is no Redis; false where there is one. */
export const whyNoRedis = async (): Promise<string | false> =>
  (await answers(redisUrl)) ? false : `needs Redis at ${redisUrl}, or at MODELWIRE_REDIS_URL`

/** Why the test cannot start a Redis of its own; false where it can. */
export const whyNoRedisServer = (): string | false =>
  spawnSync('redis-server', ['--version']).status === 0 ? false : 'needs the program redis-server'

/** Removes the keys of a prefix when the test is over. */
export function removeKeys(t: Test, prefix: string): void {
  t.teardown(async () => {
    const client = new Redis(redisUrl)
    const keys = await client.keys(`${prefix}*`)
    if (keys.length > 0) await client.del(keys)
    await client.quit()
  })
}

/** A Redis of the test's own. */
export interface OwnRedis {
  readonly url: string
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
}

/** Starts a Redis that keeps nothing on the disk. */
export async function startRedis(t: Test): Promise<OwnRedis> {
  const port = await findPort()
  const url = `redis://127.0.0.1:${port}/0`
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  const start = async (): Promise<void> => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    child = spawn('redis-server', args, { stdio: 'ignore' })
    await until(() => answers(url), 'Redis to start')
  }
  t.teardown(kill)
  await start()
  return { url, kill, start }
}
