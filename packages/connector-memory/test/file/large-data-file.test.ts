import { existsSync } from 'node:fs'
import { copyFile, open, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { filterOf } from '@modelwire/connector-tests'
import type { ModelDefinition } from '@modelwire/core'
import { makeDataFolder } from '../fixtures/data-folder.ts'
import { openMemory } from '../fixtures/open-memory.ts'

const definitions: readonly ModelDefinition[] = [{ name: 'Item', properties: { name: 'string', price: 'number' } }]

/** A data file of more than ten megabytes with `count` items. */
async function makeLargeFile(t: Test, count: number): Promise<string> {
  const file = join(await makeDataFolder(t), 'data.json')
  const { connector, collection } = await openMemory(t, definitions, { file })
  await collection('Item').insert(Array.from({ length: count }, () => ({ name: 'x'.repeat(12_000_000 / count) })))
  await connector.disconnect()
  return file
}

/** Opens the file, updates the items from `first` to `last`, and ends properly. */
async function updateItems(
  t: Test,
  file: string,
  { first, last, ...settings }: { readonly first: number; readonly last: number; readonly rewriteAtEnd?: boolean }
): Promise<void> {
  const { connector, collection } = await openMemory(t, definitions, { file, ...settings })
  const values = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  t.equal(
    await collection('Item').update({ kind: 'test', path: ['id'], test: 'in', values }, { price: last }),
    values.length
  )
  await connector.disconnect()
}

void t.test('the end leaves a large file as it is until a tenth of it has changed', async (t) => {
  const file = await makeLargeFile(t, 100)
  const before = await stat(file)
  await updateItems(t, file, { first: 1, last: 4 })
  await updateItems(t, file, { first: 4, last: 7 })
  t.equal((await stat(file)).ino, before.ino, 'the snapshot is the same file')
  t.same(await readdir(dirname(file)), ['data.json', 'data.json.journal'])
  const { connector, collection } = await openMemory(t, definitions, { file })
  const prices = (await collection('Item').find(filterOf({}))).map(({ price }) => price)
  t.strictSame(prices.slice(0, 8), [4, 4, 4, 7, 7, 7, 7, undefined])
  t.match(await collection('Item').insert([{}]), [{ id: 101 }], 'ids count on')
  await connector.disconnect()
  await updateItems(t, file, { first: 8, last: 20 })
  t.same(await readdir(dirname(file)), ['data.json'], 'now everything is in the snapshot')
  const again = await openMemory(t, definitions, { file })
  t.equal(await again.collection('Item').count({ kind: 'test', path: ['price'], test: 'equals', value: 20 }), 13)
})

void t.test('a snapshot is known again, also with models that have no records and with full portions', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const both: ModelDefinition[] = [...definitions, { name: 'Empty', properties: { name: 'string' } }]
  const { connector, collection } = await openMemory(t, both, { file })
  await collection('Empty').insert([{}])
  await collection('Empty').delete(undefined)
  await collection('Item').insert(Array.from({ length: 2000 }, () => ({ name: 'x'.repeat(6000) })))
  // The journal has outgrown the snapshot, which there is none of yet.
  await until(() => !existsSync(`${file}.journal.old`) && existsSync(file), 'a snapshot')
  await collection('Item').insert([{ name: 'last' }])
  await connector.disconnect()
  t.same(await readdir(dirname(file)), ['data.json', 'data.json.journal'])
  const again = await openMemory(t, both, { file })
  t.equal(await again.collection('Item').count(undefined), 2001)
})

void t.test('the end writes a large file whole where its journal was removed', async (t) => {
  const file = await makeLargeFile(t, 100)
  await updateItems(t, file, { first: 1, last: 1 })
  const { connector } = await openMemory(t, definitions, { file })
  await rm(`${file}.journal`)
  await connector.disconnect()
  const { collection } = await openMemory(t, definitions, { file })
  t.match(await collection('Item').findById(1), { price: 1 })
})

void t.test('records that take the keys of others in a large file are kept by the end', async (t) => {
  const file = await makeLargeFile(t, 100)
  const swapped = { 1: JSON.stringify({ id: 1, code: 2 }), 2: JSON.stringify({ id: 2, code: 1 }) }
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"models": {', `"models": { "Code": ${JSON.stringify(swapped)},`))
  const byCode: ModelDefinition[] = [
    ...definitions,
    { name: 'Code', properties: { code: { type: 'number', id: true } } }
  ]
  for (const end of ['first', 'second']) {
    const { connector, collection } = await openMemory(t, byCode, { file })
    t.equal(await collection('Code').count(undefined), 2, `before the ${end} end`)
    await connector.disconnect()
  }
})

void t.test('the end waits for a large change that is being written', async (t) => {
  const file = await makeLargeFile(t, 100)
  const { connector, collection } = await openMemory(t, definitions, { file })
  const name = 'y'.repeat(130_000)
  const writing = collection('Item').update(undefined, { name })
  await connector.disconnect()
  t.equal(await writing, 100)
  t.same(
    (await readdir(dirname(file))).filter((one) => /tmp|old|lock/.test(one)),
    []
  )
  const again = await openMemory(t, definitions, { file })
  t.equal(await again.collection('Item').count({ kind: 'test', path: ['name'], test: 'equals', value: name }), 100)
})

void t.test('a large file that was replaced without its journal is not mixed with it', async (t) => {
  const file = await makeLargeFile(t, 100)
  const backup = `${file}.backup`
  await copyFile(file, backup)
  await updateItems(t, file, { first: 1, last: 20 })
  await updateItems(t, file, { first: 1, last: 1 })
  await copyFile(backup, file)
  await t.rejects(openMemory(t, definitions, { file }), { code: 'DATA_FILE_BROKEN', message: /another version/ })
  t.same(await readFile(file), await readFile(backup), 'it is left as it is')
  await rm(`${file}.journal`)
  const { connector, collection } = await openMemory(t, definitions, { file })
  t.match(await collection('Item').findById(1), { id: 1 })
  await connector.disconnect()
})

void t.test(
  'a large file and its journal move together, and starts without changes leave both as they are',
  async (t) => {
    const file = await makeLargeFile(t, 100)
    await updateItems(t, file, { first: 1, last: 1 })
    const journal = await readFile(`${file}.journal`, 'utf8')
    const { connector } = await openMemory(t, definitions, { file })
    await connector.disconnect()
    t.equal(await readFile(`${file}.journal`, 'utf8'), journal)
    const moved = join(await makeDataFolder(t), 'moved.json')
    await copyFile(file, moved)
    await copyFile(`${file}.journal`, `${moved}.journal`)
    const { collection } = await openMemory(t, definitions, { file: moved })
    t.match(await collection('Item').findById(1), { price: 1 })
  }
)

void t.test('a large file is written whole at the end where LoopBack 3 is to read it', async (t) => {
  const file = await makeLargeFile(t, 100)
  await updateItems(t, file, { first: 1, last: 1, rewriteAtEnd: true })
  t.same(await readdir(dirname(file)), ['data.json'])
  t.match(await readFile(file, 'utf8'), /\\"price\\":1,/)
})

void t.test('a file whose disk fails at the end is released', async (t) => {
  const file = await makeLargeFile(t, 100)
  const { connector, collection } = await openMemory(t, definitions, { file })
  await collection('Item').insert([{ name: 'last' }])
  const handle = await open(file)
  const methods: { datasync: () => Promise<void> } = Object.getPrototypeOf(handle)
  const { datasync } = methods
  methods.datasync = async () => {
    throw new Error('the disk is gone')
  }
  t.teardown(async () => handle.close())
  await t.rejects(connector.disconnect(), { code: 'DATA_FILE_UNUSABLE', message: /cannot be put on disk/ })
  methods.datasync = datasync
  const again = await openMemory(t, definitions, { file })
  t.equal(await again.collection('Item').count(undefined), 101)
})
