import type { ConnectionPool, StatementRunner } from '#src/dialect/database.ts'
import type { SqlDialect } from '#src/dialect/dialect.ts'
import { Replicas } from '#src/hosts/replicas.ts'
import { sql } from '#src/sql.ts'
import { until } from '@modelwire/test-waits'
import t from 'tap'

/** A server whose log has a length; a replica has copied a part of it. */
interface FakeServer {
  position: number
  isUp: boolean
}

const notation: SqlDialect['notation'] = { quote: (name) => name, placeholder: () => '?' }

const runnerOf = (server: FakeServer, copies: boolean): StatementRunner => ({
  run: async () => {
    if (!server.isUp) throw new Error('away')
    return { rows: [{ position: String(server.position), copies: copies ? 1 : 0 }] }
  }
})

function open(maxLag: number, primary: FakeServer, ...copies: readonly FakeServer[]): Replicas {
  const hosts = copies.map((server, at) => ({
    name: `r${at}`,
    open: (): ConnectionPool => ({
      connect: async () => ({ ...runnerOf(server, true), release: () => {} }),
      direct: runnerOf(server, true),
      end: async () => {}
    })
  }))
  const lag = {
    position: sql`select position`,
    state: sql`select state`,
    hasReached: (position: string, wanted: string) => Number(position) >= Number(wanted)
  }
  // Only the notation is used.
  const dialect = { notation } as SqlDialect
  return new Replicas({ hosts, maxLag, readAfterWrite: 0, lag }, { dialect }, () => runnerOf(primary, false))
}

void t.test('a replica is used once it is known to be current, and no more when it stands still', async (t) => {
  const [primary, copy] = [
    { position: 5, isUp: true },
    { position: 5, isUp: true }
  ]
  const replicas = open(200, primary, copy)
  t.teardown(() => replicas.close())
  t.equal(replicas.next(), undefined, 'nothing is known yet')
  await until(() => replicas.next() !== undefined, 'the replica to be current')
  primary.position = 6
  const behind = performance.now()
  await until(() => replicas.next() === undefined, 'the replica to be too old')
  t.ok(performance.now() - behind < 400, 'within the bound')
  copy.position = 6
  await until(() => replicas.next() !== undefined, 'the replica to have caught up')
})

void t.test('a replica that is always a little behind is as current as that', async (t) => {
  const [primary, copy] = [
    { position: 5, isUp: true },
    { position: 4, isUp: true }
  ]
  const replicas = open(1500, primary, copy)
  t.teardown(() => replicas.close())
  /** The copy reaches where the primary was. */
  const move = (): boolean => {
    copy.position = primary.position++
    return replicas.next() !== undefined
  }
  await until(move, 'the replica to be current')
  const end = performance.now() + 2000
  await until(() => {
    if (!move()) t.fail('it stays current')
    return performance.now() > end
  }, 'some time to go by')
})

void t.test('one that fails is left alone until it answers again; others take turns', async (t) => {
  const primary = { position: 1, isUp: true }
  const copies = [1, 1].map((position) => ({ position, isUp: true }))
  const replicas = open(200, primary, ...copies)
  t.teardown(() => replicas.close())
  const runners = (): number => new Set([1, 2, 3, 4].map(() => replicas.next()?.direct)).size
  await until(() => runners() === 2, 'both to be used')
  replicas.next()?.fail()
  t.equal(runners(), 1)
  await until(() => runners() === 2, 'both to be used again')
})

void t.test('while the primary is away replicas stay as current as they were', async (t) => {
  const [primary, copy] = [
    { position: 5, isUp: true },
    { position: 5, isUp: true }
  ]
  const replicas = open(100, primary, copy)
  t.teardown(() => replicas.close())
  await until(() => replicas.next() !== undefined, 'the replica to be current')
  primary.isUp = false
  const end = performance.now() + 500
  await until(() => performance.now() > end, 'more time than a replica may lag')
  t.ok(replicas.next())
})
