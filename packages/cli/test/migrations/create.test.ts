import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { customer, makeShop } from './make-shop.ts'
import { onSqlite, schemaOf } from './on-sqlite.ts'

t.test('a file is written, applied once, and reverted', async (t) => {
  const shop = makeShop(t)
  const run = onSqlite(t, shop.dir)
  shop.setModels(customer({ name: 'string' }))
  const created = await shop.migrate(['--create', 'init'])
  t.match(created.outText(), /^db: wrote .*\d{14}-init\.mjs \(1 step\)$/m)
  t.match(created.outText(), /reverting deletes data: the table customer with all of its records/)
  t.same(await run(schemaOf), [], 'nothing is changed')
  t.match((await shop.migrate(['--dry-run'])).outText(), /^db: \d{14}-init \(1 step\)\n {4}\+ create table "customer"/)
  t.same(await run(schemaOf), [])
  t.match((await shop.migrate(['--status', '--check'], 1)).outText(), /pending +\d{14}-init/)
  t.match((await shop.migrate(['--yes'])).errText(), /^db: applied \d{14}-init in \d+ ms$/m)
  t.match((await shop.migrate(['--yes'])).errText(), /^no migration is pending$/m)
  t.match(
    (await shop.migrate(['--status', '--check'])).outText(),
    /applied +\d{14}-init.*\n {2}the database matches the models/
  )
  t.match((await shop.migrate(['--down', '--yes'], 1)).errText(), /MIGRATION_LOSES_DATA/)
  await shop.migrate(['--down', '--yes', '--lose-data'])
  t.same(await run(schemaOf), [])
  t.match((await shop.migrate(['--down', '--yes'])).errText(), /^no migration to revert$/m)
})

t.test('a migration is not written while another one is pending, or without a difference', async (t) => {
  const shop = makeShop(t)
  shop.setModels(customer({ name: 'string' }))
  await shop.migrate(['--create', 'init'])
  t.match((await shop.migrate(['--create', 'again'], 1)).errText(), /MIGRATIONS_PENDING/)
  await shop.migrate(['--yes'])
  t.match(
    (await shop.migrate(['--create', 'again'])).outText(),
    /^db: nothing to write, the database matches the models$/m
  )
  t.equal(shop.files().length, 1)
  await shop.migrate(['--create', 'fill', '--data'])
  t.match(shop.files(), [/-init\.mjs$/, /-fill\.mjs$/])
  t.match((await shop.migrate(['--create', 'x', '--baseline'], 2)).errText(), /USAGE/)
})

t.test('a rename keeps the records of tables and columns, there and back', async (t) => {
  const shop = makeShop(t)
  const run = onSqlite(t, shop.dir)
  shop.setModels(customer({ fullName: { type: 'string', index: true } }))
  await shop.migrate(['--create', 'init'])
  await shop.migrate(['--yes'])
  await run(`insert into customer (fullname) values ('Ann')`)
  const before = await run(schemaOf)
  const { Customer } = customer({ label: { type: 'string', index: true } })
  shop.setModels({ Client: Customer })
  await shop.migrate(['--create', 'rename', '--rename', 'customer=client', 'client.fullname=label'])
  t.match((await shop.migrate(['--yes'])).outText(), /rename to "client"[^]*rename column "fullname" to "label"/)
  t.same(await run('select * from client'), [{ id: 1, label: 'Ann' }])
  await shop.migrate(['--status', '--check'])
  await shop.migrate(['--down', '--yes'])
  t.same(await run('select * from customer'), [{ id: 1, fullname: 'Ann' }])
  t.same(await run(schemaOf), before)
})

t.test('a rename that leads nowhere is refused', async (t) => {
  const shop = makeShop(t)
  shop.setModels(customer({ name: 'string' }))
  await shop.migrate(['--create', 'init'])
  await shop.migrate(['--yes'])
  shop.setModels(customer({ name: 'string', label: 'string' }))
  for (const rename of ['customer.a=label', 'customer.name=other', 'customer.id=name', 'a=customer', 'a=b', 'a.b=c']) {
    const { errText } = await shop.migrate(['--create', 'x', '--rename', rename], 1)
    t.match(errText(), /MIGRATION_RENAME_INVALID/, rename)
  }
  for (const rename of ['label', 'a=b=c', '=a'])
    t.match((await shop.migrate(['--create', 'x', '--rename', rename], 2)).errText(), /USAGE/, rename)
  t.equal(shop.files().length, 1)
})

t.test(
  'a new column beside one that no model has may be a renamed one: nothing is written until that is said',
  async (t) => {
    const shop = makeShop(t)
    shop.setModels(customer({ name: 'string' }))
    await shop.migrate(['--create', 'init'])
    await shop.migrate(['--yes'])
    shop.setModels(customer({ label: 'string' }))
    const { errText } = await shop.migrate(['--create', 'x'], 1)
    t.match(errText(), /--rename customer\.name=label, or --no-rename[^]*MIGRATION_RENAME_UNCLEAR/)
    t.equal(shop.files().length, 1)
    await shop.migrate(['--create', 'x', '--no-rename'])
    t.equal(shop.files().length, 2)
  }
)

t.test('a dropped column has no way back until somebody writes it', async (t) => {
  const shop = makeShop(t)
  const run = onSqlite(t, shop.dir)
  shop.setModels(customer({ name: 'string', city: 'string' }))
  await shop.migrate(['--create', 'init'])
  await shop.migrate(['--yes'])
  shop.setModels(customer({ name: 'string' }))
  const created = await shop.migrate(['--create', 'drop-city', '--prune'])
  t.match(created.outText(), /deletes data: the column city of customer[^]*reverting is incomplete/)
  const text = readFileSync(join(shop.dir, 'migrations', shop.files().at(-1) ?? ''), 'utf8')
  t.match(
    text,
    /losesData: 'the column city of customer'[^]*missing: 'the column city of customer \(TEXT\) and its values'/
  )
  t.match((await shop.migrate(['--yes'])).outText(), /^ {4}! alter table "customer" drop column "city"$/m)
  t.match((await shop.migrate(['--down', '--yes', '--lose-data'], 1)).errText(), /MIGRATION_DOWN_MISSING/)
  shop.edit((old) => old.replace(/\{ missing: .* \}/, `'alter table customer add column city text'`))
  t.match((await shop.migrate(['--down', '--yes'], 1)).errText(), /MIGRATION_CHANGED/)
  await shop.migrate(['--accept-changed', '--yes'])
  await shop.migrate(['--down', '--yes'])
  t.match(await run(schemaOf), [{ columns: /city TEXT/ }])
})
