import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import { discoverModels, migrate, modelwire, planMigration } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'

const list = (type: string) => ({ type: [type] })

const properties = {
  id: { type: 'number', id: true, generated: true },
  tags: list('string'),
  nums: list('number'),
  moods: list('string'),
  stamps: list('date'),
  days: list('date'),
  boxes: list('string'),
  flags: list('boolean'),
  docs: list('object'),
  grid: 'any',
  mood: 'string'
}

const first = {
  tags: ['a', 'b c', null, 'q"z', 'x\\y', 'NULL', '', '{}'],
  nums: [1, 2.5],
  moods: ['sad'],
  stamps: ['2020-01-01T00:00:00.000Z'],
  days: ['2020-01-31T00:00:00.000Z'],
  boxes: ['(3,3),(1,1)', '(4,4),(2,2)'],
  flags: [true, false],
  docs: [{ a: 1 }],
  grid: [
    [1, 2],
    [3, 4]
  ],
  mood: 'sad'
}

async function serve(t: Test) {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  await runOn(database.url, "create type mood as enum ('sad', 'happy')")
  await runOn(
    database.url,
    'create table kin (id serial primary key, tags varchar(20)[], nums numeric[], moods mood[], stamps timestamptz[], days date[], boxes box[], flags bool[], docs jsonb[], grid int[][], mood mood)'
  )
  await runOn(
    database.url,
    String.raw`insert into kin (tags, nums, moods, stamps, days, boxes, flags, docs, grid, mood) values (array['a', 'b c', null, 'q"z', 'x\y', 'NULL', '', '{}'], '{1,2.5}', '{sad}', '{2020-01-01T00:00:00Z}', '{2020-01-31}', '{(3,3),(1,1);(4,4),(2,2)}', '{t,f}', array['{"a":1}'::jsonb], '{{1,2},{3,4}}', 'sad')`
  )
  await runOn(database.url, "insert into kin (tags) values ('{}'), ('[0:1]={k,l}'), (null)")
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { db: postgresql({ url: database.url, max: 2 }) },
    models: [{ name: 'Kin', public: true, strict: true, properties }]
  })
  await app.register(rest, { prefix: '/api' })
  const find = async (filter: object): Promise<Record<string, unknown>[]> => {
    const answer = await app.inject({ url: '/api/Kins', query: { filter: JSON.stringify(filter) } })
    t.equal(answer.statusCode, 200, `${JSON.stringify(filter)} ${answer.body.slice(0, 200)}`)
    return answer.json()
  }
  const idsOf = async (filter: object): Promise<unknown> => (await find({ order: 'id', ...filter })).map(({ id }) => id)
  return { app, database, find, idsOf }
}

void t.test('lists in columns of other programs are read, compared by their items, and ordered', async (t) => {
  const { find, idsOf } = await serve(t)
  const [one, two, three, four] = await find({ order: 'id' })
  t.match(one, first)
  t.strictSame([two?.['tags'], three?.['tags'], four?.['tags']], [[], ['k', 'l'], null])
  const found: readonly (readonly [where: object, ids: readonly number[]])[] = [
    [{ tags: 'a' }, [1]],
    [{ tags: 'q"z' }, [1]],
    [{ tags: 'l' }, [3]],
    [{ tags: { neq: 'k' } }, [1, 2, 3, 4]],
    [{ tags: { like: 'b%' } }, [1]],
    [{ tags: { inq: ['b c', 'l'] } }, [1, 3]],
    [{ nums: 2.5 }, [1]],
    [{ nums: { gt: 2 } }, [1]],
    [{ stamps: first.stamps[0] }, [1]],
    [{ days: { lt: '2020-02-01T00:00:00Z' } }, [1]],
    [{ flags: false }, [1]],
    [{ moods: 'sad' }, [1]],
    [{ moods: 'none of these' }, []],
    [{ boxes: '(3,3),(1,1)' }, [1]],
    [{ 'docs.a': 1 }, [1]],
    [{ mood: 'sad' }, [1]],
    [{ mood: 'none of these' }, []],
    [{ mood: { gt: 'a' } }, [1]]
  ]
  for (const [where, ids] of found) t.strictSame(await idsOf({ where }), ids, JSON.stringify(where))
  for (const name of Object.keys(first))
    t.equal((await find({ order: [name, 'id'] })).length, 4, `${name} has an order`)
})

void t.test('lists are written; what a column cannot hold is refused, and names the property', async (t) => {
  const { app } = await serve(t)
  const create = async (payload: object) => app.inject({ method: 'POST', url: '/api/Kins', payload })
  const { tags: _tags, ...others } = first
  const made = await create({ ...others, tags: ['a', 'q"z', 'x\\y', 'NULL', '', '{}'] })
  t.equal(made.statusCode, 200, made.body)
  const { id } = made.json<{ id: number }>()
  const again = await app.inject(`/api/Kins/${id}`)
  t.match(again.json(), { ...others, tags: ['a', 'q"z', 'x\\y', 'NULL', '', '{}'] })
  t.equal((await create({ tags: [] })).statusCode, 200)
  for (const [payload, name] of [
    [{ moods: ['bad'] }, 'moods'],
    [{ mood: 'bad' }, 'mood'],
    [{ grid: 'x' }, 'grid'],
    [{ grid: [[1], [2, 3]] }, 'grid'],
    [{ tags: ['a'.repeat(30)] }, 'tags']
  ] as const) {
    const answer = await create(payload)
    t.equal(answer.statusCode, 400, answer.body)
    t.match(answer.json(), { error: { code: 'VALUE_REFUSED', message: new RegExp(`"${name}"`) } }, name)
  }
})

void t.test('discovery declares lists and words, and migrations make such columns', async (t) => {
  const { app, database } = await serve(t)
  const source = app.models.dataSources.get('db')
  if (source === undefined) throw new Error('there is a data source')
  const [found] = await discoverModels(source, { tables: ['kin'] })
  t.match(found?.properties, {
    tags: { type: ['string'], postgresql: { dataType: 'character varying(20)[]' } },
    nums: { type: ['number'], postgresql: { dataType: 'numeric[]' } },
    stamps: { type: ['date'] },
    mood: { type: 'string', enum: ['sad', 'happy'], postgresql: { dataType: 'mood' } }
  })
  const tags = { type: ['string'], postgresql: { dataType: 'varchar[]', dataLength: 7 } }
  const other = Fastify()
  t.teardown(() => other.close())
  await other.register(modelwire, {
    dataSources: { db: postgresql({ url: database.url, max: 2 }) },
    models: [{ name: 'Made', strict: true, properties: { id: properties.id, tags } }, { ...(found ?? { name: 'Kin' }) }]
  })
  await migrate(other.models)
  const [types] = await runOn(
    database.url,
    "select format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = 'made'::regclass and attname = 'tags'"
  )
  t.strictSame(types?.rows, [{ type: 'character varying(7)[]' }])
  const plans = await planMigration(other.models)
  t.strictSame(
    plans.flatMap(({ notes, steps }) => [...notes, ...steps]),
    [],
    'nothing differs afterwards'
  )
  const Made = other.models.get('Made')
  const { id } = await Made.create({ tags: ['a', 'b'] })
  t.match(await Made.findOne({ where: { tags: 'b' } }), { id, tags: ['a', 'b'] })
})
