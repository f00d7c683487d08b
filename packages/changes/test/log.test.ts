import { until } from '@modelwire/test-waits'
import type { Change } from '@modelwire/core/connector'
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

for (const { name, skip, create } of databases.filter((kind) => !kind.name.includes('MongoDB')))
  t.test(`${name}: what a transaction has not committed is in no log, whoever reads it`, { skip }, async (t) => {
    const database = await create()
    t.teardown(database.drop)
    const { models } = await openApp(t, { connector: database.connect() })
    const log = models.changeLogs.get('db')
    const start = (await log?.heard()) ?? ''
    await models.transaction(async () => {
      await models.get('Item').create({ name: 'uncommitted' })
      t.strictSame(await log?.read(start, 10), [])
      await log?.latest()
    })
    const found = await until(async () => {
      const page = await log?.read(start, 10)
      return page !== undefined && page.length > 0 && page
    }, 'the change to be in the log')
    t.match(found, [{ change: { kind: 'create', after: { name: 'uncommitted' } } }])
  })

t.test('what was purged stays known where another process purges less', async (t) => {
  const [sqlite] = databases
  const database = await (sqlite as (typeof databases)[0]).create() // the first kind
  t.teardown(database.drop)
  const { models } = await openApp(t, { connector: database.connect() })
  const log = models.changeLogs.get('db')
  const start = (await log?.heard()) ?? ''
  await models.get('Item').create({ name: 'a' })
  const source = models.dataSources.get('db')?.connector.changeLog?.([models.typeOf('Item')])
  await source?.latest()
  t.equal(await source?.purge(new Date(Date.now() + 60_000)), 1)
  t.equal(await source?.purge(new Date(0)), 0)
  await t.rejects(async () => log?.read(start, 1), { code: 'LOG_POSITION_UNKNOWN' })
})
