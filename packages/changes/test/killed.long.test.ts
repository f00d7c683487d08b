import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase as createMysql, whyNoServer } from '@modelwire/connector-tests/mysql'
import { createTestDatabase as createPostgresql } from '@modelwire/connector-tests/postgresql'
import { migrate, ModelRegistry } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { takeTime, until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { EventReader } from './event-reader.ts'
import { entry, tally } from './serve-tallies.ts'

// `MODELWIRE_CHANGES=10000 MODELWIRE_KILLS=30` is the long form.
const changeCount = Number(process.env['MODELWIRE_CHANGES'] ?? 2000)
const killCount = Number(process.env['MODELWIRE_KILLS'] ?? 6)
const tallies = [1, 2, 3, 4, 5, 6, 7, 8]

interface Server {
  readonly child: ChildProcess
  readonly url: string
}

/** Processes of one application, of which one is killed now and then. */
class Servers {
  readonly #args: readonly string[]
  readonly #running: Server[] = []

  constructor(...args: readonly string[]) {
    this.#args = args
  }

  async add(): Promise<void> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'serve-spawned.js'), ...this.#args], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer] // the address
    this.#running.push({ child, url: line.toString().trim() })
  }

  any(): string {
    return this.#running[randomInt(this.#running.length)]?.url ?? ''
  }

  async kill(): Promise<void> {
    const [server] = this.#running.splice(randomInt(this.#running.length), 1)
    const exit = server && once(server.child, 'exit')
    server?.child.kill('SIGKILL')
    await exit
  }

  async stop(): Promise<void> {
    while (this.#running.length > 0) await this.kill()
  }
}

async function post(url: string, body: object): Promise<boolean> {
  try {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    await answer.text()
    return answer.ok
  } catch {
    // The process was killed.
    return false
  }
}

/** Writes until so many changes were acknowledged; gives the ids of entries that were. */
async function write(servers: Servers, state: { left: number }): Promise<string[]> {
  const stored: string[] = []
  const id = (): string => randomUUID()
  while (state.left > 0) {
    const entryId = randomInt(3) === 0 ? id() : undefined
    const isStored =
      entryId === undefined
        ? await post(`${servers.any()}/api/Tallies/countUp`, { id: tallies[randomInt(tallies.length)] })
        : await post(`${servers.any()}/api/Entries`, { id: entryId })
    if (isStored) state.left--
    else await takeTime(5, 'a client does not ask at once again')
    if (isStored && entryId !== undefined) stored.push(entryId)
  }
  return stored
}

/** What one reader has seen. */
interface Seen {
  readonly values: Map<number, number[]>
  readonly entries: string[]
  readonly readers: readonly EventReader[]
}

async function startReading(servers: Servers): Promise<Seen> {
  const values = new Map<number, number[]>(tallies.map((id) => [id, []]))
  const entries: string[] = []
  const address = (): string => servers.any()
  const readers = [
    new EventReader('/api/Tallies/change-stream', address, ({ target, data }) =>
      values.get(Number(target))?.push(Number((data as { value?: unknown }).value))
    ),
    new EventReader('/api/Entries/change-stream', address, ({ target }) => void entries.push(String(target)))
  ]
  await Promise.all(readers.map((reader) => reader.start()))
  return { values, entries, readers }
}

async function openRegistry(connector: Connector): Promise<ModelRegistry> {
  const registry = new ModelRegistry()
  registry.readsChangeLogs = true
  registry.addDataSource('db', connector)
  for (const definition of [tally, entry]) {
    registry.define(definition)
    registry.attach(definition.name, 'db')
  }
  await registry.connect()
  await migrate(registry)
  return registry
}

async function checkKilled(t: Test, count: number, kind: string, url: string): Promise<void> {
  const registry = await openRegistry(kind === 'postgresql' ? postgresql({ url }) : mysql({ url }))
  t.teardown(async () => registry.disconnect())
  for (const id of tallies) await registry.get('Tally').create({ id, value: 0 })
  const servers = new Servers(kind, url)
  t.teardown(async () => servers.stop())
  await Promise.all(Array.from({ length: count }, async () => servers.add()))
  const seen = await Promise.all(Array.from({ length: count }, async () => startReading(servers)))
  t.teardown(() => seen.flatMap(({ readers }) => readers).forEach((reader) => reader.stop()))
  const state = { left: changeCount }
  const writing = Promise.all(Array.from({ length: 8 }, async () => write(servers, state)))
  let kills = 0
  for (; kills < killCount && state.left > 0; kills++) {
    await servers.kill()
    await servers.add()
  }
  const acknowledged = (await writing).flat()
  for (; kills < killCount; kills++) {
    await servers.kill()
    await servers.add()
  }
  await checkSeen(t, registry, { seen, acknowledged, kills })
}

interface Outcome {
  readonly seen: readonly Seen[]
  readonly acknowledged: readonly string[]
  readonly kills: number
}

/** Compares what readers have seen with what the database has. */
async function checkSeen(t: Test, registry: ModelRegistry, { seen, acknowledged, kills }: Outcome): Promise<void> {
  const stored = (await registry.get('Entry').find()).map(({ id }) => String(id))
  const counted = new Map((await registry.get('Tally').find()).map(({ id, value }) => [Number(id), Number(value)]))
  const total = [...counted.values()].reduce((sum, value) => sum + value, stored.length)
  const sizeOf = ({ values, entries }: Seen): number =>
    [...values.values()].reduce((sum, list) => sum + list.length, entries.length)
  await until(
    () => seen.every((each) => sizeOf(each) >= total),
    () => `${total} events, not ${seen.map(sizeOf).join()}`
  )
  const connections = seen.flatMap(({ readers }) => readers.map((reader) => reader.connections))
  t.comment(`${total} changes, ${kills} kills, ${connections.join()} connections of readers`)
  const lost = acknowledged.filter((id) => !stored.includes(id))
  t.strictSame(lost, [], 'what was acknowledged is there')
  for (const { values, entries, readers } of seen) {
    t.strictSame(entries.toSorted(), stored.toSorted(), 'each entry once')
    for (const [id, list] of values)
      t.strictSame(
        list,
        Array.from({ length: counted.get(id) ?? 0 }, (_, at) => at + 1),
        `tally ${id} in order`
      )
    const resets = readers.map((reader) => reader.resets)
    t.strictSame(resets, [0, 0], 'no reader was told that it missed some')
  }
}

const limits = { timeout: 900_000 }

for (const count of [2, 3]) {
  t.test(
    `PostgreSQL: with ${count} processes that are killed, each reader sees each committed change once`,
    limits,
    async (t) => {
      const { url, drop } = await createPostgresql()
      t.teardown(drop)
      await checkKilled(t, count, 'postgresql', url)
    }
  )

  t.test(
    `MariaDB: with ${count} processes that are killed, each reader sees each committed change once`,
    { ...limits, skip: await whyNoServer() },
    async (t) => {
      const { url, drop } = await createMysql()
      t.teardown(drop)
      await checkKilled(t, count, 'mysql', url)
    }
  )
}
