import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filterOf } from '@modelwire/connector-tests'
import type { Row } from '@modelwire/core/connector'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { makeDataFolder } from '../fixtures/data-folder.ts'
import { beginOn } from '../fixtures/in-transaction.ts'
import { openMemory, type OpenMemory } from '../fixtures/open-memory.ts'

const definitions = [
  { name: 'Item', properties: { name: 'string' } },
  { name: 'Entry', base: 'Model', properties: { name: 'string' } }
]

const open = async (t: Test, file: string): Promise<OpenMemory> =>
  openMemory(t, definitions, { file, transactions: true })
const namesIn = async ({ collection }: OpenMemory, model: string): Promise<unknown[]> =>
  (await collection(model).find(filterOf({}))).map(({ name }: Row) => name)

async function openFilled(t: Test): Promise<{ file: string; database: OpenMemory }> {
  const file = join(await makeDataFolder(t), 'data.json')
  const database = await open(t, file)
  await database.collection('Item').insert([{ name: 'a' }, { name: 'b' }])
  await database.collection('Entry').insert([{ name: 'x' }, { name: 'y' }])
  return { file, database }
}

async function changeBoth({ collection }: OpenMemory): Promise<void> {
  const [Item, Entry] = [collection('Item'), collection('Entry')]
  await Item.upsert({ id: 1, name: 'changed' })
  await Item.insert([{ name: 'new' }])
  await Item.delete({ kind: 'test', path: ['id'], test: 'equals', value: 2 })
  await Entry.insert([{ name: 'z' }])
  await Entry.delete({ kind: 'test', path: ['name'], test: 'equals', value: 'x' })
}

void t.test(
  'a transaction is one line of the journal: wherever it is cut off, all of it is there or nothing',
  async (t) => {
    const { file, database } = await openFilled(t)
    const before = await readFile(`${file}.journal`, 'utf8')
    await database.connector.transaction?.(() => changeBoth(database))
    const journal = await readFile(`${file}.journal`, 'utf8')
    const line = journal.slice(before.length)
    t.ok(journal.startsWith(before) && line.indexOf('\n') === line.length - 1)
    const folder = await makeDataFolder(t)
    for (const cut of [0, 1, Math.floor(line.length / 2), line.length - 1, line.length]) {
      const copy = join(folder, `${cut}.json`)
      await writeFile(`${copy}.journal`, before + line.slice(0, cut))
      const again = await open(t, copy)
      const isWhole = cut === line.length
      t.same(await namesIn(again, 'Item'), isWhole ? ['changed', 'new'] : ['a', 'b'])
      t.same(await namesIn(again, 'Entry'), isWhole ? ['y', 'z'] : ['x', 'y'])
    }
    await database.connector.disconnect()
    const after = await open(t, file)
    t.same(await namesIn(after, 'Item'), ['changed', 'new'])
  }
)

void t.test('what is undone never reaches the file', async (t) => {
  const { file, database } = await openFilled(t)
  const before = await readFile(`${file}.journal`, 'utf8')
  const undone = await beginOn(database.connector)
  await undone.run(() => changeBoth(database))
  await undone.rollback()
  const left = await beginOn(database.connector)
  await left.run(() => changeBoth(database))
  t.equal(await readFile(`${file}.journal`, 'utf8'), before)
  await database.connector.disconnect()
  const after = await open(t, file)
  t.same(await namesIn(after, 'Item'), ['a', 'b'])
  t.same(await namesIn(after, 'Entry'), ['x', 'y'])
})

/** Not every write looks whether the file is still there. */
async function isRefused(write: unknown): Promise<boolean> {
  try {
    await write
    return false
  } catch {
    return true
  }
}

void t.test('a transaction whose line cannot be written is undone as a whole', async (t) => {
  const { file, database } = await openFilled(t)
  await rm(`${file}.journal`)
  await until(
    async () => isRefused(database.collection('Item').upsert({ id: 1, name: 'a' })),
    'the journal to be missed'
  )
  const failing = database.connector.transaction?.(() => changeBoth(database))
  await t.rejects(async () => failing, { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
  t.same(await namesIn(database, 'Item'), ['a', 'b'])
  t.same(new Set(await namesIn(database, 'Entry')), new Set(['x', 'y']))
})

void t.test('a record that no file can hold is refused at once', async (t) => {
  const { database } = await openFilled(t)
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  await database.connector.transaction?.(async () => {
    await t.rejects(async () => database.collection('Item').insert([{ circular }]), { code: 'INVALID_VALUE' })
  })
})
