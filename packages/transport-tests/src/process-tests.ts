import { randomUUID } from 'node:crypto'
import type { TransportSettings } from '@modelwire/changes'
import { takeTime, until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { openRig, type Rig } from './open-rig.ts'
import { type OwnServer, startServer, whyNoProgram } from './servers.ts'
import type { Worker } from './start-worker.ts'
import { type DatabaseKind, databases, writeNotes } from './test-databases.ts'

/** A transport whose servers are started for each test. */
export interface TransportKind {
  readonly name: string
  readonly program: 'redis-server' | 'nats-server'
  readonly settingsFor: (port: number) => TransportSettings
}

/** A process is given up for gone after this. */
const leaseTime = 1000
const timeout = 300_000

/** How often a process is killed, or the server restarted. */
const rounds = Number(process.env['MODELWIRE_FAULT_ROUNDS'] ?? 2)

async function killRelays(t: Test, { settingsFor, program }: TransportKind, kind: DatabaseKind): Promise<void> {
  const { port } = await startServer(t, program)
  const transport = { ...settingsFor(port), name: `kill-${randomUUID().slice(0, 8)}`, leaseTime }
  const rig = await openRig(t, kind, { transport, count: 3 })
  const writing = writeNotes(t, rig.writer)
  for (let round = 0; round < rounds; round += 1) {
    await rig.findRelay()
    await takeTime(1500, 'changes while a process relays them')
    await rig.replace(await rig.findRelay())
    await takeTime(leaseTime, 'the lease runs out')
  }
  const count = await writing.stop()
  t.ok(count > 1000, `${count} changes are thousands`)
  await rig.check()
}

/** What becomes of the server in turn: killed, killed without what it had, and frozen. */
const troubles: readonly ((server: OwnServer, meanwhile: () => Promise<void>) => Promise<void>)[] = [
  async (server, meanwhile) => {
    await server.kill()
    await meanwhile()
    await server.start()
  },
  async (server, meanwhile) => {
    await server.kill()
    await server.forget()
    await meanwhile()
    await server.start()
  },
  async (server, meanwhile) => {
    const thaw = server.freeze()
    await meanwhile()
    thaw()
  }
]

/** Milliseconds until a change is heard of without the server: twice its timeout, and what a busy machine takes. */
const longestDelay = 6000

async function isHeardSoon({ writer, workers }: Rig): Promise<void> {
  const { id } = await writer.models.get('Note').create({ title: 'meanwhile' })
  const hasHeard = (worker: Worker): boolean => worker.heard.some((change) => change.id === id)
  await until(() => workers.every(hasHeard), 'a change to be heard of without the server', longestDelay)
}

async function troubleServer(t: Test, { settingsFor, program }: TransportKind, kind: DatabaseKind): Promise<void> {
  const server = await startServer(t, program)
  const rig = await openRig(t, kind, { transport: { ...settingsFor(server.port), leaseTime }, count: 2 })
  const writing = writeNotes(t, rig.writer)
  for (let round = 0; round < rounds; round += 1) {
    await takeTime(1500, 'changes while there is a server')
    await troubles[round % troubles.length]?.(server, async () => {
      await isHeardSoon(rig)
      await takeTime(1000, 'changes while there is no server')
    })
  }
  await takeTime(2 * leaseTime, 'the transport is used again')
  await writing.stop()
  await rig.check()
  for (const { lines } of rig.workers) {
    const failures = lines.filter((line) => line.includes('the stream of changes is unavailable')).length
    t.ok(failures > 0 && failures <= 2 * rounds, `it was logged ${failures} times`)
  }
}

/** Both processes use the stream: one of them reads the log no more. */
async function readOnce(t: Test, { settingsFor, program }: TransportKind, kind: DatabaseKind): Promise<void> {
  const { port } = await startServer(t, program)
  // On a busy machine all is slow, which is not a reason to read the log, or to lose the lease, here.
  const transport = { ...settingsFor(port), timeout: 30_000, leaseTime: 20_000 }
  const rig = await openRig(t, kind, { transport, count: 2 })
  await rig.writer.models.get('Note').create({ title: 'first' })
  await until(() => rig.workers.every(({ heard }) => heard.length === 1), 'both to hear of a change')
  const relay = await rig.findRelay()
  const other = rig.workers.find((worker) => worker !== relay)
  const before = await other?.countReads()
  const writing = writeNotes(t, rig.writer)
  await takeTime(2000, 'changes')
  const count = await writing.stop()
  await rig.check()
  const reads = Number(await other?.countReads()) - Number(before)
  t.ok(reads <= 2, `of ${count} changes, a process that does not relay them read none in the log: ${reads} reads`)
}

/** Checks a transport with several processes on each database. */
export function processTests(kind: TransportKind): void {
  for (const database of databases) {
    const skip = whyNoProgram(kind.program) || database.skip
    const on = `${kind.name} and ${database.name}`
    t.test(`${on}: one process reads the log`, { skip, timeout }, async (t) => readOnce(t, kind, database))
    t.test(`${on}: the relaying process is killed again and again`, { skip, timeout }, async (t) =>
      killRelays(t, kind, database)
    )
    t.test(`${on}: the server is killed, emptied and frozen`, { skip, timeout }, async (t) =>
      troubleServer(t, kind, database)
    )
  }
}
