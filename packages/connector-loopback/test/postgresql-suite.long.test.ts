import { conditionsOn, connectorTests, filterOf, type RunCase } from '@modelwire/connector-tests'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import t from 'tap'
import { loopback } from '#src/loopback.ts'
import { loadModule } from './load-module.ts'
import { sqlDifferences } from './sql-differences.ts'

/** Tables as their owner may have made them; LoopBack's own would have whole numbers alone. */
const tables = `
  drop table if exists item, coupon, session, note, member;
  create table item (
    id serial primary key, name text collate "C", code text unique, price double precision, qty bigint, active boolean,
    added timestamptz, tags text, sizes text, origin text, meta text, place point, picture bytea
  );
  create table coupon (code text collate "C" primary key, off bigint);
  create table session (id text primary key default gen_random_uuid()::text, "user" text);
  create table note (id serial primary key);
  create table member (
    id serial primary key, person text, club double precision, number double precision, role text,
    constraint "onePerPerson" unique (person, club), constraint "byNumber" unique (number)
  )
`

/** PostgreSQL has null after everything else. */
const nullsLast: RunCase = async (t, { models, collections }) => {
  await collections.Item.insert([{ price: 1 }, { price: -1 }, { price: null }, { price: 0 }])
  const { order } = conditionsOn(models.Item)
  const prices = async (clause: string): Promise<unknown[]> =>
    (await collections.Item.find(filterOf({ order: order(clause) }))).map(({ price }) => price)
  t.same(await prices('price'), [-1, 0, 1, null])
  t.same(await prices('-price'), [null, 1, 0, -1])
}

const differences: Readonly<Record<string, RunCase>> = {
  ...sqlDifferences,
  // 8. LoopBack's connector leaves the sequence alone when the caller chooses an id.
  'number ids count on from the highest one ever seen': async (t, { collections: { Item } }) => {
    await Item.insert([{ id: 10, name: 'a' }])
    t.match(await Item.insert([{ name: 'b' }]), [{ id: 1 }])
  },
  // 9. and 10. The database's place of null.
  'absent values come first, or last where the order descends': nullsLast,
  'null is zero in an order': nullsLast
}

void t.test('loopback-connector-postgresql passes the suite', { timeout: 300_000 }, async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await connectorTests(t, {
    name: 'loopback postgresql',
    create: async () => {
      await runOn(url, tables)
      return loopback(loadModule('loopback-connector-postgresql'), { name: 'db', url, like: 'part' })
    },
    differences
  })
})
