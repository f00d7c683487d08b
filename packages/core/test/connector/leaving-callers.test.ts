import { takeTime, until } from '@modelwire/test-waits'
import t from 'tap'
import { BusyConnection, cancelPolicy, untilLeft } from '#src/connector/leaving-callers.ts'

/** Longer than any test takes. */
const never = 600_000

/** A connection whose cancel requests the test settles itself. */
function createConnection(policy = cancelPolicy(0)) {
  const requests: { readonly settle: () => void; readonly fail: (error: Error) => void }[] = []
  let ends = 0
  const busy = new BusyConnection(
    {
      cancel: () => new Promise<void>((settle, fail) => void requests.push({ settle, fail })),
      end: () => void ends++
    },
    policy
  )
  return { busy, requests, ends: () => ends }
}

void t.test('a statement whose caller left is not cancelled before its time', async (t) => {
  const { busy, requests } = createConnection(cancelPolicy(never))
  const statement = busy.add()
  busy.leave(statement)
  await takeTime(20, 'a request would be sent at once')
  busy.remove(statement)
  t.strictSame([requests.length, statement.isCancelled, busy.isIdle], [0, false, true])
})

void t.test('a connection whose statement was answered is busy until the cancel request is settled', async (t) => {
  const { busy, requests } = createConnection()
  const statement = busy.add()
  busy.leave(statement)
  await until(() => requests.length === 1, 'the request')
  busy.remove(statement)
  const { settling } = busy
  t.ok(settling, 'it could reach the next statement')
  t.equal(busy.isCancelling, true)
  requests[0]?.settle()
  await settling
  t.strictSame([busy.settling, busy.isCancelling], [undefined, false])
})

void t.test('a statement behind it that is waited for keeps it from being cancelled', async (t) => {
  const { busy, requests } = createConnection()
  const [first, second] = [busy.add(), busy.add()]
  busy.leave(first)
  await takeTime(20, 'a request would be sent at once')
  t.equal(requests.length, 0)
  busy.leave(second)
  await until(() => requests.length === 1, 'the request')
  requests[0]?.settle()
  busy.remove(first)
  await until(() => requests.length === 2, 'the request for the second one')
  t.strictSame([first.isCancelled, second.isCancelled], [true, true])
  requests[1]?.settle()
  busy.remove(second)
})

void t.test('two requests at most are on their way at once, and none for what has ended meanwhile', async (t) => {
  const policy = cancelPolicy(0)
  const all = [1, 2, 3, 4].map(() => createConnection(policy))
  const statements = all.map(({ busy }) => busy.add())
  const counts = (): number[] => all.map(({ requests }) => requests.length)
  for (const [at, { busy }] of all.entries()) busy.leave(statements[at] ?? busy.add())
  await until(() => statements.every(({ isCancelled }) => isCancelled), 'all to be due')
  t.strictSame(counts(), [1, 1, 0, 0])
  if (statements[2]) all[2]?.busy.remove(statements[2])
  t.equal(all[2]?.busy.settling, undefined, 'it can be used again at once')
  all[0]?.requests[0]?.settle()
  await until(() => counts()[3] === 1, 'the last request')
  t.strictSame(counts(), [1, 1, 0, 1])
  for (const [at, { busy, requests }] of all.entries()) {
    requests[0]?.settle()
    const statement = statements[at]
    if (statement && !busy.isIdle) busy.remove(statement)
  }
})

void t.test('a connection is closed where it is unknown whether the request still comes', async (t) => {
  const { busy, requests, ends } = createConnection()
  const statement = busy.add()
  busy.stop(statement)
  await until(() => requests.length === 1, 'the request')
  requests[0]?.fail(new Error('no answer'))
  await busy.settling
  t.equal(ends(), 1)
  busy.remove(statement)
})

void t.test('a caller who leaves is refused at once, and the work ends by itself', async (t) => {
  const leaving = new AbortController()
  let isOver = false
  const ends: (() => void)[] = []
  const work = async (): Promise<string> => {
    await new Promise<void>((resolve) => void ends.push(resolve))
    isOver = true
    return 'done'
  }
  const left = t.rejects(untilLeft(leaving.signal, work), { code: 'STATEMENT_CANCELLED', statusCode: 499 })
  const stays = untilLeft(new AbortController().signal, work)
  leaving.abort()
  await left
  t.equal(isOver, false)
  for (const end of ends) end()
  t.equal(await stays, 'done')
  await t.rejects(untilLeft(leaving.signal, work), { code: 'STATEMENT_CANCELLED' })
  t.equal(ends.length, 2, 'work for a caller who has left already does not begin')
})
