import t from 'tap'
import { Connection } from '#src/connector/connection.ts'
import type { Connector } from '#src/connector/connector.ts'

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
  const connection = new Connection(connector)
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
  const connection = new Connection(makeConnector(true).connector)
  await t.rejects(connection.open(), /unreachable/)
  t.equal(connection.state, 'failed')
  t.match(connection.error, { message: 'unreachable' })
})
