import { until } from '@modelwire/test-waits'
import type { Change } from '@modelwire/core/plugin'
import t from 'tap'
import { databases } from './databases.ts'
import { openApp } from './open-app.ts'

const data = {
  name: "O'Neil \\ \u{1f600}",
  password: 'secret',
  price: 0.1,
  count: Number.MAX_SAFE_INTEGER,
  active: true,
  added: new Date('2020-02-29T12:34:56.789Z'),
  tags: ['a', 'b'],
  origin: { country: 'SE', zone: 1 },
  meta: { deep: [1, null, 'x'] },
  place: { lat: 59.5, lng: 17.25 },
  picture: Buffer.from([0, 255, 10])
}

/** What is logged of it. */
const { password: _password, ...shown } = data

for (const { name, skip, create } of databases)
  t.test(`${name}: another process hears of each change with the whole record`, { skip }, async (t) => {
    const database = await create()
    t.teardown(database.drop)
    const writer = await openApp(t, { connector: database.connect() })
    const reader = await openApp(t, { connector: database.connect(), migrates: false })
    await reader.models.changeLogs.get('db')?.heard()
    const heard: Change[] = []
    reader.models.changes.subscribe('Item', (change) => heard.push(change))
    const Item = writer.models.get('Item')
    const made = await Item.create(data)
    await made.patchAttributes({ active: false, place: null })
    const other = await Item.create({ name: 'other' })
    await Item.updateAll({}, { price: 7 })
    await Item.destroyById(made['id'])
    await until(
      () => heard.length >= 6,
      () => `six changes, not ${heard.length}`
    )
    const first = { ...shown, id: made['id'] }
    const kinds = heard.map(({ kind, id }) => [kind, id])
    const [one, two] = [made['id'], other['id']]
    t.same(kinds, [
      ['create', one],
      ['update', one],
      ['create', two],
      ['update', one],
      ['update', two],
      ['remove', one]
    ])
    t.strictSame(heard[0]?.after, first)
    t.strictSame(heard[1]?.after, { ...first, active: false, place: null })
    t.match(heard[3]?.after, { price: 7, name: data.name })
    t.match(heard[5]?.removed, [{ id: one, price: 7 }])
    t.equal(new Set(heard.map(({ position }) => position)).size, 6)
  })
