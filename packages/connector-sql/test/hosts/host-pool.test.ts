import type { ConnectionPool } from '#src/dialect/database.ts'
import { createHostPool } from '#src/hosts/host-pool.ts'
import { openHosts } from '#src/hosts/open-hosts.ts'
import { sessionMismatch, isUnsuitableHost, unsuitableHost } from '#src/hosts/target-session.ts'
import type { Fault } from '#src/dialect/fault.ts'
import t from 'tap'
import { targetSessions } from '#src/settings.ts'

/** A server that a test switches on and off. */
interface FakeHost {
  isUp: boolean
  isStandby: boolean
  /** Statements that it executed. */
  readonly executed: string[]
  /** Pools to it that are open. */
  open: number
}

const fakeHost = (isStandby = false): FakeHost => ({ isUp: true, isStandby, executed: [], open: 0 })
const statement = (sql: string) => ({ sql, parameters: [] })
const lost = (): Error => Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
const fault = (error: unknown): Fault | undefined => {
  if (!(error instanceof Error)) return undefined
  return { kind: isUnsuitableHost(error) ? 'hostNotReady' : 'lost' }
}

/** Connections are checked when they are made; statements know no more than whether the host writes. */
function openFake(host: FakeHost, wantsStandby: boolean): ConnectionPool {
  host.open++
  const run = async ({ sql }: { sql: string }): Promise<{ rows: readonly [] }> => {
    if (!host.isUp) throw lost()
    if (host.isStandby && sql === 'write') throw unsuitableHost('read-only')
    host.executed.push(sql)
    return { rows: [] }
  }
  return {
    connect: async () => {
      if (!host.isUp) throw lost()
      if (host.isStandby !== wantsStandby) throw unsuitableHost('another kind')
      return { run, release: () => {} }
    },
    direct: { run },
    end: async () => void host.open--
  }
}

function poolOf(...hosts: readonly FakeHost[]): ConnectionPool {
  const named = hosts.map((host, at) => ({ name: `h${at}`, open: () => openFake(host, false) }))
  return createHostPool({ hosts: named, fault })
}

void t.test('the first host that writes is used, and the next one when it is gone', async (t) => {
  const [one, two] = [fakeHost(), fakeHost()]
  const pool = poolOf(one, two)
  await pool.direct?.run(statement('write'))
  one.isUp = false
  await pool.direct?.run(statement('write'))
  t.same(
    [one.executed, two.executed],
    [['write'], ['write']],
    'a refused connection executed nothing: it is made elsewhere'
  )
  t.same([one.open, two.open], [0, 1], 'connections to the former one are closed')
  one.isUp = true
  await pool.direct?.run(statement('write'))
  t.same(two.executed, ['write', 'write'], 'it stays where it is')
  await pool.end()
  t.equal(two.open, 0)
})

void t.test('a host that became read-only refuses a write, which another one executes once', async (t) => {
  const [one, two] = [fakeHost(), fakeHost(true)]
  const pool = poolOf(one, two)
  await pool.direct?.run(statement('write'))
  one.isStandby = true
  two.isStandby = false
  await pool.direct?.run(statement('write'))
  t.same([one.executed, two.executed], [['write'], ['write']])
})

void t.test('a transaction stays on its connection and is not repeated elsewhere', async (t) => {
  const [one, two] = [fakeHost(), fakeHost()]
  const pool = poolOf(one, two)
  const connection = await pool.connect()
  one.isUp = false
  await t.rejects(connection.run(statement('write')), /refused/)
  const next = await pool.connect()
  await next.run(statement('write'))
  t.same([one.executed, two.executed], [[], ['write']])
  t.equal(one.open, 1, 'a former host is left when its last connection is free')
  connection.release(true)
  t.equal(one.open, 0)
  next.release(false)
})

void t.test('when no host is suitable, the error names each of them and why, and has a code', async (t) => {
  const [one, two] = [fakeHost(), fakeHost(true)]
  one.isUp = false
  const pool = poolOf(one, two)
  const refusal = { code: 'DATA_SOURCE_UNAVAILABLE', message: /h0 \(refused\), h1 \(another kind\)/ }
  await t.rejects(async () => void (await pool.direct?.run(statement('write'))), refusal)
  await t.rejects(pool.connect(), refusal)
})

void t.test('many that wait share one search', async (t) => {
  let opened = 0
  const host = fakeHost()
  const open = (): ConnectionPool => {
    opened++
    return openFake(host, false)
  }
  const pool = createHostPool({ hosts: [{ name: 'h', open }], fault })
  await Promise.all(Array.from({ length: 20 }, async () => pool.direct?.run(statement('write'))))
  t.equal(opened, 2, 'one connection to look at it, one pool')
})

void t.test('a standby is preferred, and any host will do', async (t) => {
  const [one, two] = [fakeHost(), fakeHost(true)]
  const listed = [one, two].map((_host, at) => ({ name: `h${at}`, address: { url: String(at) } }))
  const open = ({ name }: { name: string }, wanted: unknown): ConnectionPool => {
    const host = name === 'h0' ? one : two
    return openFake(host, wanted === 'standby' ? true : host.isStandby)
  }
  const addresses = { hosts: listed, wanted: 'prefer-standby', isRandom: false } as const
  const pool = openHosts(addresses, { open, fault })
  await pool.direct?.run(statement('read'))
  two.isUp = false
  await pool.direct?.run(statement('read'))
  t.same([one.executed, two.executed], [['read'], ['read']])
})

void t.test('what a host has to be is what libpq says', async (t) => {
  // primary, standby, a primary whose sessions are read-only
  const states = [
    { isStandby: false, isReadOnly: false },
    { isStandby: true, isReadOnly: true },
    { isStandby: false, isReadOnly: true }
  ]
  const accepted = Object.fromEntries(
    targetSessions.map((wanted) => [wanted, states.map((state) => sessionMismatch(wanted, state) === undefined)])
  )
  t.same(accepted, {
    any: [true, true, true],
    'read-write': [true, false, false],
    'read-only': [false, true, true],
    primary: [true, false, true],
    standby: [false, true, false],
    'prefer-standby': [true, true, true]
  })
})
