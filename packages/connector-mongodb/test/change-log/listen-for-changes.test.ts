import { until } from '@modelwire/test-waits'
import t from 'tap'
import { openLog } from './open-log.ts'

void t.test('a process is woken by changes of others, also behind an interruption, until it ends', async (t) => {
  const { log, db, server } = await openLog(t)
  let woken = 0
  const stop = await log.listen?.(() => woken++)
  // The server says nothing when a stream is open.
  const isWoken = async (): Promise<boolean> => {
    await db.collection('notes').insertOne({ text: 'a' })
    return woken > 0
  }
  await until(isWoken, 'a change to be heard of')
  const before = woken
  server.failNext('getMore', { ok: 0, code: 237, errmsg: 'cursor killed' })
  await until(async () => (await isWoken()) && woken > before + 2, 'changes behind the interruption')
  await stop?.()
  const end = woken
  await db.collection('notes').insertOne({ text: 'b' })
  await log.read(await log.latest(), 1)
  t.equal(woken, end)
})

void t.test('nothing listens to a single server', async (t) => {
  const { log, server } = await openLog(t, { isSingle: true })
  const stop = await log.listen?.(() => t.fail('nothing has changed'))
  await stop?.()
  t.notOk(server.commands.some(({ pipeline }) => Array.isArray(pipeline)))
})
