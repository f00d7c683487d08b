import { discoverModels, ModelRegistry } from '@modelwire/core'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import t from 'tap'

t.test(
  'tables of several schemas are discovered with relations between them, and partitions not by themselves',
  async (t) => {
    const { url, drop } = await createTestDatabase()
    t.teardown(drop)
    await runOn(
      url,
      `create schema people; create schema sales;
     create table people.person (id serial primary key);
     create table sales.person (id serial primary key);
     create table sales.bill (id int, at date, person_id int references people.person, seller_id int references sales.person, primary key (id, at))
       partition by range (at);
     create table sales.bill_2020 partition of sales.bill for values from ('2020-01-01') to ('2021-01-01')`
    )
    const registry = new ModelRegistry()
    const source = registry.addDataSource('db', postgresql({ url }))
    t.teardown(() => registry.disconnect())
    await registry.connect()
    const found = await discoverModels(source, { schema: ['people', 'sales'] })
    t.match(found, [
      { name: 'Person', postgresql: { schema: 'people' } },
      { name: 'Bill', relations: { person: { model: 'Person' }, seller: { model: 'Person2' } } },
      { name: 'Person2', postgresql: { schema: 'sales', tableName: 'person' } }
    ])
    t.equal(found.length, 3)
  }
)
