import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { filterOf } from '@modelwire/connector-tests'
import type { Collection, Row } from '@modelwire/core/connector'
import { makeDataFolder } from '../fixtures/data-folder.ts'
import { openMemory } from '../fixtures/open-memory.ts'

const definitions = [
  { name: 'Item', properties: { name: 'string' } },
  { name: 'Entry', base: 'Model', properties: { name: 'string' } }
]
const refused = { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 }
const byId = (value: number) => ({ kind: 'test', path: ['id'], test: 'equals', value }) as const
const all = async (rows: Collection): Promise<Row[]> => structuredClone(await rows.find(filterOf({})))

async function open(t: Test) {
  const file = join(await makeDataFolder(t), 'data.json')
  const first = await openMemory(t, definitions, { file })
  await first.collection('Item').insert([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  await first.collection('Entry').insert([{ name: 'x' }])
  await first.connector.disconnect()
  const { connector, collection } = await openMemory(t, definitions, { file })
  await collection('Item').insert([{ name: 'd' }])
  return { file, connector, collection }
}

/** Stores what is stored already until a write looks at the files again and is refused. */
async function untilRefused(items: Collection): Promise<void> {
  try {
    await items.upsert({ id: 4, name: 'd' })
  } catch {
    return
  }
  await untilRefused(items)
}

async function refuseEverything(t: Test, items: Collection, entries: Collection): Promise<void> {
  await untilRefused(items)
  const before = [await all(items), await all(entries)]
  const writes: readonly (() => unknown)[] = [
    () => items.insert([{ name: 'new' }, { name: 'newer' }]),
    () => items.update(byId(1), { name: 'changed' }),
    () => items.upsert({ id: 2, name: 'changed' }),
    () => items.upsert({ id: 77, name: 'new' }),
    () => items.replace(3, { name: 'changed' }),
    () => items.delete(byId(4)),
    () => entries.insert([{ name: 'new' }]),
    () => entries.delete(undefined),
    () => items.delete(undefined)
  ]
  for (const write of writes) await t.rejects(async () => write(), refused)
  await Promise.all(writes.map(async (write) => t.rejects(async () => write(), refused)))
  const byRecord = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()
  t.strictSame(byRecord(await all(items)), byRecord(before[0] ?? []))
  t.strictSame(byRecord(await all(entries)), byRecord(before[1] ?? []))
}

for (const ending of ['.journal', ''])
  void t.test(`writes notice that data.json${ending} is gone, and the end writes everything`, async (t) => {
    const { file, connector, collection } = await open(t)
    await rm(file + ending)
    await refuseEverything(t, collection('Item'), collection('Entry'))
    await connector.disconnect()
    const again = await openMemory(t, definitions, { file })
    t.match(await all(again.collection('Item')), [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }])
    t.match(await all(again.collection('Entry')), [{ name: 'x' }])
  })

void t.test('a journal that another file has taken the place of is noticed', async (t) => {
  const { file, collection } = await open(t)
  await copyFile(`${file}.journal`, `${file}.copy`)
  await rm(`${file}.journal`)
  await writeFile(`${file}.journal`, '')
  await refuseEverything(t, collection('Item'), collection('Entry'))
})
