import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { SharedConnection } from '#src/connector/connection.ts'
import type { ConnectionWatcher } from '#src/contract/data-source.ts'
import type { Connector } from '#src/contract/connector.ts'

interface Calls {
  readonly calls: string[]
  readonly connector: Connector
}

function makeConnector(fails = false): Calls {
  const calls: string[] = []
  const connector = {
    connect: async () => {
      calls.push('connect')
      if (fails) throw new Error('unreachable')
    },
    disconnect: async () => void calls.push('disconnect')
  }
  return { calls, connector: connector as unknown as Connector } // nothing else of it is used
}

void t.test('a connection is opened once, and tells how far it is', async (t) => {
  const { calls, connector } = makeConnector()
  const connection = new SharedConnection(connector)
  const states: string[] = []
  connection.listen(({ state }) => states.push(state))
  t.equal(connection.state, 'closed')
  await Promise.all([connection.open(), connection.open()])
  t.equal(connection.state, 'open')
  await connection.close()
  await connection.open()
  t.strictSame(calls, ['connect', 'disconnect', 'connect'])
  t.strictSame(states, ['opening', 'open', 'closed', 'opening', 'open'])
})

void t.test('a connection that fails keeps its error', async (t) => {
  const connection = new SharedConnection(makeConnector(true).connector)
  await t.rejects(connection.open(), /unreachable/)
  t.equal(connection.state, 'failed')
  t.match(connection.error, { message: 'unreachable' })
})

/** A connector whose calls end when the test says so. */
function makeSlow() {
  const calls: string[] = []
  const ends: ((error?: Error) => void)[] = []
  const call = (name: string) => (): Promise<void> => {
    calls.push(name)
    return new Promise((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve() : reject(error)))
    })
  }
  let watcher: ConnectionWatcher | undefined
  const connector = {
    connect: call('connect'),
    disconnect: call('disconnect'),
    watch: (given: ConnectionWatcher) => void (watcher = given)
  }
  const connection = new SharedConnection(connector as unknown as Connector) // nothing else of it is used
  const end = async (error?: Error): Promise<void> => {
    await setImmediate()
    ends.shift()?.(error)
    await setImmediate()
  }
  return { calls, connection, end, watcher: () => watcher }
}

void t.test('one that is closed while it opens is open no longer', async (t) => {
  const { calls, connection, end } = makeSlow()
  const opening = connection.open()
  const closing = connection.close()
  await setImmediate()
  t.strictSame(calls, ['connect'], 'the attempt ends first')
  await end()
  await end()
  await Promise.all([opening, closing])
  t.strictSame(calls, ['connect', 'disconnect'])
  t.equal(connection.state, 'closed')
})

void t.test('one that is opened while it closes is open afterwards', async (t) => {
  const { calls, connection, end } = makeSlow()
  const first = connection.open()
  await end()
  await first
  const closing = Promise.all([connection.close(), connection.close()])
  const opening = connection.open()
  await end()
  t.strictSame(calls, ['connect', 'disconnect', 'connect'], 'closed once, then opened')
  await end()
  await Promise.all([closing, opening])
  t.equal(connection.state, 'open')
})

void t.test('an attempt that failed is made again, and its error is forgotten', async (t) => {
  const { calls, connection, end } = makeSlow()
  const failing = t.rejects(connection.open(), /away/)
  await end(new Error('away'))
  await failing
  t.match(connection.error, { message: 'away' })
  const again = connection.open()
  await end()
  await again
  t.strictSame(calls, ['connect', 'connect'])
  t.equal(connection.state, 'open')
  t.equal(connection.error, undefined)
  const closing = t.rejects(connection.close(), /busy/)
  await end(new Error('busy'))
  await closing
  t.equal(connection.state, 'failed')
  const closed = connection.close()
  await end()
  await closed
  t.equal(connection.state, 'closed')
})

void t.test('what happens to it between calls is told', async (t) => {
  const { connection, end, watcher } = makeSlow()
  const states: string[] = []
  const errors: unknown[] = []
  connection.listen(({ state }) => states.push(state))
  connection.listenToErrors((error) => errors.push(error))
  watcher()?.lost()
  const opening = connection.open()
  await end()
  await opening
  watcher()?.error('reset')
  watcher()?.lost()
  watcher()?.lost()
  watcher()?.restored()
  t.strictSame(states, ['opening', 'open', 'closed', 'open'])
  t.strictSame(errors, ['reset'])
})
