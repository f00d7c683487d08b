import { conditionsOn, connectorTests, filterOf, type RunCase } from '@modelwire/connector-tests'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'
import { loopback } from '#src/loopback.ts'
import { loadModule } from './load-module.ts'
import { sqlDifferences } from './sql-differences.ts'

/** Tables as their owner may have made them, whose texts are compared by their codes. */
const tables = `
  drop table if exists Item, Coupon, Session, Note, Member;
  create table Item (
    id int auto_increment primary key, name longtext, code varchar(255) unique, price double, qty bigint,
    active tinyint(1), added datetime(3), tags longtext, sizes longtext, origin longtext, meta longtext, place point,
    picture longblob
  ) character set utf8mb4 collate utf8mb4_bin;
  create table Coupon (code varchar(255) primary key, off bigint) character set utf8mb4 collate utf8mb4_bin;
  create table Session (id varchar(255) primary key default uuid(), user longtext);
  create table Note (id int auto_increment primary key);
  create table Member (
    id int auto_increment primary key, person varchar(255), club double, number double, role varchar(255),
    unique onePerPerson (person, club), unique byNumber (number)
  ) character set utf8mb4 collate utf8mb4_bin
`

/** An address in one piece leaves no room for the collation of the connection. */
function partsOf(address: string): Record<string, unknown> {
  const { hostname: host, port, username, password, pathname } = new URL(address)
  return { host, port: Number(port) || 3306, username, password, database: pathname.slice(1), collation: 'utf8mb4_bin' }
}

const differences: Readonly<Record<string, RunCase>> = {
  ...sqlDifferences,
  // 8. LoopBack's connector does not ask for an id that the database made of a text.
  'text ids that the connector makes are distinct': async (t, { collections: { Session } }) => {
    await Session.insert([{ id: 'a', user: 'x' }])
    t.match(await Session.findById('a'), { user: 'x' })
  },
  // 9. The driver reads the years 0 to 99 as those of a century.
  'the first years are not those of this century': async (t, { collections: { Item } }) => {
    await Item.insert([{ added: new Date('0999-07-01T12:34:56.789Z') }])
    t.match(await Item.findById(1), { added: new Date('0999-07-01T12:34:56.789Z') })
  },
  // 10. The database has null before everything else, also before what is less than 0.
  'null is zero in an order': async (t, { models, collections }) => {
    await collections.Item.insert([{ price: 1 }, { price: -1 }, { price: null }, { price: 0 }])
    const { order } = conditionsOn(models.Item)
    const prices = async (clause: string): Promise<unknown[]> =>
      (await collections.Item.find(filterOf({ order: order(clause) }))).map(({ price }) => price)
    t.same(await prices('price'), [null, -1, 0, 1])
    t.same(await prices('-price'), [1, 0, -1, null])
  }
}

void t.test('loopback-connector-mysql passes the suite', { timeout: 300_000, skip: await whyNoServer() }, async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(drop)
  await connectorTests(t, {
    name: 'loopback mysql',
    create: async () => {
      await runOn(url, tables)
      return loopback(loadModule('loopback-connector-mysql'), { name: 'db', ...partsOf(url), like: 'part' })
    },
    differences
  })
})
