import t from 'tap'
import { Connections } from '#src/connection/connections.ts'
import type { ConnectionPool } from '#src/dialect/database.ts'

const closed = { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 }

/** Pools whose connections come when `free` is called. */
function makePools() {
  const seen: string[] = []
  const waiting: (() => void)[] = []
  const open = (): ConnectionPool => {
    seen.push('opened')
    return {
      connect: async () => {
        await new Promise<void>((resolve) => waiting.push(resolve))
        return { run: async ({ sql }) => ({ rows: [{ sql }] }), release: () => seen.push('released') }
      },
      end: async () => void seen.push('ended')
    }
  }
  return { seen, open, free: () => waiting.shift()?.() }
}

const statement = { sql: 'a', parameters: [] }

void t.test('the pool is opened when it is needed, and again when it is needed after its end', async (t) => {
  const { seen, open, free } = makePools()
  const connections = new Connections(open, undefined)
  await connections.close()
  connections.open()
  t.strictSame(seen, [])
  const useAndClose = async (): Promise<void> => {
    const running = connections.direct.run(statement)
    free()
    t.strictSame((await running).rows, [{ sql: 'a' }])
    await connections.close()
    t.throws(() => connections.direct, closed)
    connections.open()
  }
  await useAndClose()
  await useAndClose()
  const round = ['opened', 'released', 'ended']
  t.strictSame(seen, [...round, ...round])
})

void t.test('a connection that comes after the end goes back', async (t) => {
  const { seen, open, free } = makePools()
  const connections = new Connections(open, undefined)
  const held = connections.hold()
  await connections.close()
  free()
  await t.rejects(held, closed)
  t.strictSame(seen, ['opened', 'ended', 'released'])
})

void t.test('the log hears of every statement, of those that fail too', async (t) => {
  const { open, free } = makePools()
  const heard: string[] = []
  const connections = new Connections(open, (sql, duration) => {
    t.ok(duration >= 0)
    heard.push(sql)
  })
  const holding = connections.hold()
  free()
  const held = await holding
  await held.begin(['begin'])
  await held.inTurn((connection) => connection.run(statement))
  await held.rollback()
  const running = connections.direct.run(statement)
  free()
  await running
  const failing = new Connections(
    () => ({
      connect: async () => Promise.reject(new Error('none')),
      direct: { run: async () => Promise.reject(new Error('refused')) },
      end: async () => {}
    }),
    (sql) => heard.push(`${sql} failed`)
  )
  await t.rejects(failing.direct.run(statement), { message: 'refused' })
  t.strictSame(heard, ['begin', 'a', 'rollback', 'a', 'a failed'])
})
