import { rm, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { connectorTests, lockedReadTests, type RunCase, transactionTests } from '@modelwire/connector-tests'
import { memory } from '#src/memory.ts'
import { inTransaction } from './fixtures/in-transaction.ts'

const tinyBytes = { rows: 4, bytes: 1, options: { rows: 'rows', bytes: 'bytes' } }

/** Rows that are in memory anyway are handed out as they are: only their number is bounded. */
const handsRowsOut: RunCase = async (t, { collections: { Item } }) => {
  await Item.insert(Array.from({ length: 4 }, () => ({ name: 'a' })))
  const filter = { order: [], skip: 0, atMost: tinyBytes }
  t.equal((await Item.find(filter)).length, 4)
  const related = await Item.findRelated?.({ keys: ['a'], property: 'name', filter })
  if (related !== undefined) t.equal(related[0]?.length, 4)
}

const differences = {
  'more bytes than the bound are refused, and the next read is served': handsRowsOut,
  'one record that is larger than the bound is refused': handsRowsOut,
  'the bytes of the records of many keys are bounded together': handsRowsOut
}

void t.test('the memory connector passes the suite', (t) =>
  connectorTests(t, { name: 'memory', create: () => memory(), differences })
)

void t.test('the memory connector with a file passes the suite', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  let files = 0
  const create = () => memory({ file: join(folder, `${files++}.json`) })
  await connectorTests(t, { name: 'memory file', create, differences })
})

void t.test('with transactions it passes the suite, and that of transactions', async (t) => {
  await connectorTests(t, { name: 'memory transactions', create: () => memory({ transactions: true }), differences })
  await transactionTests(t, { name: 'memory', create: () => memory({ transactions: true }) })
  await lockedReadTests(t, { name: 'memory', create: () => memory({ transactions: true }) })
})

void t.test('with transactions and a file it does so, too', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  let files = 0
  const create = () => memory({ file: join(folder, `${files++}.json`), transactions: true })
  await transactionTests(t, { name: 'memory file', create })
})

void t.test('each case of the suite runs in a transaction, too', async (t) => {
  const create = () => inTransaction(memory({ transactions: true }))
  await connectorTests(t, { name: 'memory in a transaction', create, differences })
})
