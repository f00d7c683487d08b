import { copyFile, mkdir, readFile, readdir, rmdir, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { filterOf } from '@modelwire/connector-tests'
import { ModelRegistry, type ModelDefinition } from '@modelwire/core'
import type { Collection, Row } from '@modelwire/core/connector'
import { memory } from '#src/memory.ts'
import { makeDataFolder } from '../fixtures/data-folder.ts'
import { openMemory } from '../fixtures/open-memory.ts'

const definitions: readonly ModelDefinition[] = [
  {
    name: 'Item',
    properties: {
      name: 'string',
      price: 'number',
      added: 'date',
      active: 'boolean',
      tags: ['string'],
      origin: { country: 'string' },
      meta: 'object',
      place: 'geopoint',
      dates: ['date'],
      part: { made: 'date', pictures: ['buffer'] }
    }
  },
  { name: 'Coupon', properties: { code: { type: 'string', id: true }, off: 'number' } },
  { name: 'Entry', properties: {} }
]

// Written by LoopBack 3.28 itself.
const loopbackFile = `{
  "ids": {
    "Product": 1,
    "Item": 3,
    "Coupon": 2,
    "Entry": 3
  },
  "models": {
    "Product": {},
    "Item": {
      "1": "{\\"name\\":\\"Anvil\\",\\"price\\":100,\\"added\\":\\"2020-01-01T00:00:00.000Z\\",\\"active\\":true,\\"tags\\":[\\"iron\\"],\\"origin\\":{\\"country\\":\\"SE\\"},\\"meta\\":{\\"when\\":\\"2020-01-01T00:00:00.000Z\\"},\\"place\\":{\\"lat\\":55.7,\\"lng\\":13.2},\\"extra\\":{\\"b\\":1},\\"id\\":1}",
      "2": "{\\"name\\":null,\\"id\\":2}"
    },
    "Coupon": {
      "A": "{\\"code\\":\\"A\\",\\"off\\":1}"
    },
    "Entry": {
      "1": "{\\"x\\":1,\\"id\\":1}"
    }
  }
}`

const all = async (items: Collection): Promise<Row[]> => items.find(filterOf({}))

void t.test('a file of LoopBack 3 is read', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  await writeFile(file, loopbackFile)
  const { collection } = await openMemory(t, definitions, { file })
  const [anvil, other] = await all(collection('Item'))
  t.match(anvil, { id: 1, name: 'Anvil', tags: ['iron'], place: { lat: 55.7, lng: 13.2 }, extra: { b: 1 } })
  t.strictSame(anvil?.['added'], new Date('2020-01-01'))
  t.match(anvil?.['meta'], { when: '2020-01-01T00:00:00.000Z' }, 'undeclared parts have no type to come back to')
  t.strictSame([other?.['name'], other?.['price']], [null, undefined])
  t.match(await collection('Entry').insert([{}]), [{ id: 3 }], 'ids count on')
  t.match(await collection('Coupon').findById('A'), { off: 1 })
})

void t.test(
  'the file is written as LoopBack 3 writes it, with the records of models that are not attached',
  async (t) => {
    const file = join(await makeDataFolder(t), 'data.json')
    await writeFile(file, loopbackFile)
    const { connector, collection } = await openMemory(
      t,
      definitions.filter(({ name }) => name === 'Coupon'),
      { file }
    )
    await collection('Coupon').update(undefined, { off: 1 })
    await connector.disconnect()
    t.same(JSON.parse(await readFile(file, 'utf8')), JSON.parse(loopbackFile))
    t.same(await readdir(join(file, '..')), ['data.json'], 'nothing else is left')
  }
)

void t.test('values of every type survive a restart, by journal and by snapshot', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const row = {
    added: new Date(5),
    dates: [new Date(6)],
    part: { made: new Date(7), pictures: [Buffer.from([0, 255])] },
    meta: { list: [{ a: null }] },
    undeclared: 'x'
  }
  const first = await openMemory(t, definitions, { file })
  await first.collection('Item').insert([{ ...row }])
  await copyFile(`${file}.journal`, `${file}-copy.journal`)
  await first.connector.disconnect()
  for (const path of [file, `${file}-copy`]) {
    const { collection } = await openMemory(t, definitions, { file: path })
    const [stored = {}] = await all(collection('Item'))
    for (const [name, value] of Object.entries(row)) t.strictSame(stored[name], value, name)
  }
})

void t.test('a journal that ends anywhere in its last line keeps all lines before it', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const { collection } = await openMemory(t, definitions, { file })
  await collection('Item').insert([{ name: 'a' }, { name: 'ż😀' }])
  await collection('Coupon').insert([{ code: 'A', off: 1 }])
  const { length: before } = await readFile(`${file}.journal`)
  await collection('Item').insert([{ name: 'ü😀' }, { name: 'd' }])
  const { length: whole } = await readFile(`${file}.journal`)
  for (let end = before; end <= whole; end++) {
    const torn = `${file}-${end}`
    await copyFile(`${file}.journal`, `${torn}.journal`)
    await truncate(`${torn}.journal`, end)
    const names = end === whole ? ['a', 'ż😀', 'ü😀', 'd'] : ['a', 'ż😀']
    t.same(await reopenTwice(t, torn), [...names, 'after'], `cut at ${end}`)
  }
})

/** Opens the file, stores one more record, and reads the names when the file is opened again. */
async function reopenTwice(t: Parameters<typeof openMemory>[0], file: string): Promise<unknown[]> {
  const first = await openMemory(t, definitions, { file })
  await first.collection('Item').insert([{ name: 'after' }])
  const copy = `${file}-again`
  await copyFile(`${file}.journal`, `${copy}.journal`)
  await first.connector.disconnect()
  const second = await openMemory(t, definitions, { file: copy })
  const rows = await all(second.collection('Item'))
  t.match(await second.collection('Coupon').findById('A'), { off: 1 })
  await second.connector.disconnect()
  return rows.map(({ name }) => name)
}

void t.test('a damaged file is refused by its name and left as it is', async (t) => {
  const folder = await makeDataFolder(t)
  const contents = [
    '{',
    '[]',
    '5',
    '"x"',
    '{"models":[]}',
    '{"models":{"Item":[]}}',
    '{"models":{"Item":{"1":5}}}',
    '{"models":{"Item":{"1":"{"}}}',
    '{"ids":3}',
    '\u0000\u0000',
    '',
    '\n'
  ]
  for (const [at, content] of contents.entries()) {
    const file = join(folder, `${at}.json`)
    await writeFile(file, content)
    await t.rejects(
      openMemory(t, definitions, { file }),
      { code: 'DATA_FILE_BROKEN', message: new RegExp(`${at}\\.json`) },
      content
    )
    t.equal(await readFile(file, 'utf8'), content)
  }
  t.same(
    (await readdir(folder)).filter((name) => name.includes('lock')),
    [],
    'the lock was given back'
  )
})

void t.test('a file that cannot be written is refused', async (t) => {
  const folder = await makeDataFolder(t)
  await writeFile(join(folder, 'taken'), '')
  const file = join(folder, 'taken', 'data.json')
  await t.rejects(openMemory(t, definitions, { file }), { code: 'DATA_FILE_UNUSABLE' })
})

void t.test('a folder that is missing is created, as where data files are kept out of a repository', async (t) => {
  const file = join(await makeDataFolder(t), 'not', 'there', 'data.json')
  await openMemory(t, definitions, { file })
  t.ok((await readdir(dirname(file))).length > 0)
})

void t.test('a large journal becomes part of the snapshot while the process goes on', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const { connector, collection } = await openMemory(t, definitions, { file })
  const name = 'x'.repeat(10_000)
  for (let at = 0; at < 300; at++) await collection('Item').insert([{ name }])
  await connector.disconnect()
  const { length } = await readFile(file)
  t.ok(length > 3_000_000)
  const again = await openMemory(t, definitions, { file })
  t.equal(await again.collection('Item').count(undefined), 300)
})

const putLine = (id: number, name: string): string =>
  `{"model":"Item","puts":[["${id}",{"id":${id},"name":"${name}"}]],"deletes":[],"nextId":${id + 1}}\n`

void t.test('a snapshot that a dead process did not finish changes nothing', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  await writeFile(`${file}.tmp`, '{"half')
  await writeFile(`${file}.journal.old`, putLine(1, 'old') + putLine(2, 'old'))
  await writeFile(`${file}.journal`, `${putLine(2, 'new')}{"model":"Item","puts":[],"deletes":["1"],"nextId":3}\n`)
  const { connector, collection } = await openMemory(t, definitions, { file })
  t.match(await all(collection('Item')), [{ id: 2, name: 'new' }])
  await connector.disconnect()
  t.same(await readdir(join(file, '..')), ['data.json'])
  t.same(JSON.parse(await readFile(file, 'utf8')), {
    ids: { Item: 3, Coupon: 1, Entry: 1 },
    models: { Item: { 2: '{"name":"new","id":2}' }, Coupon: {}, Entry: {} }
  })
})

void t.test('with sync every change waits for the disk', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const { collection } = await openMemory(t, definitions, { file, sync: true })
  await Promise.all(Array.from({ length: 20 }, async () => collection('Entry').insert([{}])))
  const lines = (await readFile(`${file}.journal`, 'utf8')).trim().split('\n')
  t.equal(lines.length, 20)
})

void t.test('what JSON cannot hold is refused before anything is stored', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const { collection } = await openMemory(t, definitions, { file })
  const circle: Row = {}
  circle['self'] = circle
  await t.rejects(async () => collection('Entry').insert([{ a: 1 }, { meta: circle }]), { code: 'INVALID_VALUE' })
  await t.rejects(async () => collection('Entry').insert([{ big: 5n }]), { code: 'INVALID_VALUE' })
  t.equal(await collection('Entry').count(undefined), 0)
  t.match(await collection('Entry').insert([{}]), [{ id: 1 }])
})

void t.test('a model that is used before the connection reads the file first', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  await writeFile(file, loopbackFile)
  const registry = new ModelRegistry()
  const connector = memory({ file })
  registry.addDataSource('db', connector)
  registry.define({ name: 'Entry', properties: {} })
  registry.attach('Entry', 'db')
  const entries = registry.typeOf('Entry').collection
  t.match(await Promise.all([entries?.insert([{ x: 2 }]), entries?.insert([{ x: 3 }])]), [[{ id: 3 }], [{ id: 4 }]])
  registry.define({ name: 'Coupon', properties: { code: { type: 'string', id: true } } })
  registry.attach('Coupon', 'db')
  await connector.connect()
  t.equal(await entries?.count(undefined), 3)
  t.match(await registry.typeOf('Coupon').collection?.findById('A'), { off: 1 })
  await connector.disconnect()
  await t.rejects(async () => entries?.count(undefined), { code: 'DATA_SOURCE_UNAVAILABLE' })
  await connector.connect()
  t.equal(await entries?.count(undefined), 3, 'another connection reads the file again')
  await connector.disconnect()
})

void t.test('records that LoopBack 3 keeps under other keys can be removed', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const id = '2020-01-01T00:00:00.000Z'
  await writeFile(
    file,
    JSON.stringify({ ids: { Day: 1 }, models: { Day: { 'Wed Jan 01 2020': JSON.stringify({ id }) } } })
  )
  const day: ModelDefinition = { name: 'Day', properties: { id: { type: 'date', id: true } } }
  const first = await openMemory(t, [day], { file })
  t.equal(await first.collection('Day').delete(undefined), 1)
  for (const ending of ['', '.journal']) await copyFile(file + ending, `${file}-copy${ending}`)
  const second = await openMemory(t, [day], { file: `${file}-copy` })
  t.equal(await second.collection('Day').count(undefined), 0)
})

void t.test('when no snapshot can be written the end says so and nothing is lost', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const first = await openMemory(t, definitions, { file })
  await first.collection('Entry').insert([{ x: 1 }])
  await mkdir(`${file}.tmp`)
  await t.rejects(first.connector.disconnect(), { code: 'DATA_FILE_UNUSABLE' })
  await rmdir(`${file}.tmp`)
  const second = await openMemory(t, definitions, { file })
  t.match(await all(second.collection('Entry')), [{ x: 1 }])
})
