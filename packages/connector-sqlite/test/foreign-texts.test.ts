import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from '@modelwire/connector-sqlite'
import { migrate, ModelRegistry } from '@modelwire/core'
import LibSql from 'libsql'
import t, { type Test } from 'tap'

interface Foreign {
  /** A text as another program stores it, in hexadecimal. */
  readonly bytes: string
  readonly read: string
  /** The same within JSON, where it is another one. */
  readonly inJson?: string
}

const foreign: readonly Foreign[] = [
  { bytes: '61eda08062', read: 'a\ufffd\ufffd\ufffdb' },
  { bytes: 'e9e8', read: '\ufffd\ufffd' },
  { bytes: 'c3', read: '\ufffd' },
  { bytes: 'f09f9880', read: '😀' },
  { bytes: '610062', read: 'a\0b', inJson: Buffer.from(String.raw`a\u0000b`).toString('hex') },
  { bytes: '61', read: 'a', inJson: Buffer.from(String.raw`a\ud800`).toString('hex') }
]

async function openWith(t: Test, { bytes, inJson = bytes }: Foreign) {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-sqlite-'))
  const file = join(folder, 'foreign.db')
  const registry = new ModelRegistry()
  t.teardown(async () => {
    await registry.disconnect()
    rmSync(folder, { recursive: true, force: true })
  })
  registry.addDataSource('db', sqlite({ file }))
  const properties = { id: { type: 'number', id: true }, name: 'string', qty: 'number', meta: 'object' } as const
  registry.define({ name: 'Item', properties })
  registry.attach('Item', 'db')
  await registry.connect()
  await migrate(registry)
  const other = new LibSql(file)
  const json = (text: string): string => `cast(x'7b2278223a22${text}227d' as text)`
  other.exec(`insert into item (id, name, qty, meta, _undeclared)
    values (1, cast(x'${bytes}' as text), cast(x'${bytes}' as text), ${json(inJson)}, ${json(inJson)})`)
  other.close()
  return registry.get('Item')
}

t.test('texts of other programs are read, whatever bytes they have', async (t) => {
  for (const text of foreign) {
    const Item = await openWith(t, text)
    const found = { id: 1, name: text.read }
    t.match(await Item.find({ order: 'name' }), [found])
    t.match(await Item.findById(1), found)
    t.match(await Item.find({ where: { 'meta.y': null }, order: 'x' }), [found])
    t.equal(await Item.count({ or: [{ name: 'z' }, { x: 'z' }, { 'meta.x': 'z' }] }), 0)
  }
})

t.test('and so are records that a change returns, with what it left alone', async (t) => {
  for (const text of foreign) {
    const Item = await openWith(t, text)
    const name = text.read
    const item = await Item.findById(1)
    t.match(await item?.patchAttributes({ more: 1 }), { id: 1, name, more: 1 })
    t.match(await Item.upsert({ id: 1, other: 2 }), { id: 1, name, more: 1, other: 2 })
    t.match(await Item.updateAll({}, { third: 3 }), { count: 1 })
    t.match(await Item.findById(1), { id: 1, name, more: 1, other: 2, third: 3 })
  }
})
