import { memory } from '@modelwire/connector-memory'
import { ModelRegistry } from '@modelwire/core'
import type { ModelType, Row } from '@modelwire/core/connector'
import { type Records, repository, serverCall } from '@modelwire/core/plugin'
import type { Test } from 'tap'
import { matchingIds } from './related-oracle.ts'
import { relatedWheres, startingModels, type Where } from './related-filters.ts'
import { openRelated, type RelatedDatabase } from './related-models.ts'
import type { SqlCase, SqlTestsOptions } from './sql-case.ts'

interface Watched extends RelatedDatabase {
  /** What came of a call, and how many statements it took. */
  readonly watch: <Result>(call: () => Promise<Result>) => Promise<readonly [Result, number]>
}

/** The models in the database under test. Tables are known after the first filters: the types of keys are read once. */
async function openWatched(t: Test, { create, mappingKey }: SqlTestsOptions): Promise<Watched> {
  const statements: string[] = []
  const database = await openRelated(
    t,
    create({ onStatement: (statement: string) => statements.push(statement) }),
    mappingKey
  )
  for (const [name, where] of oneStatement) await database.model(name).count(where)
  return {
    ...database,
    watch: async (call) => {
      statements.length = 0
      const result = await call()
      return [result, statements.length]
    }
  }
}

const idsOf = (rows: readonly object[]): unknown[] =>
  // Models have properties of any name.
  rows.map((row) => (row as Row)['id'] ?? (row as Row)['code'])

/** As rows, without instances. */
const readForServer = (model: ModelType, filter: unknown): Promise<Records> =>
  repository.readRecords(model, { filter, call: serverCall(), restriction: undefined })

/** Conditions by model, with the ids of the records that match. */
const oneStatement: readonly (readonly [model: string, where: Where, ids: readonly unknown[]])[] = [
  ['RelBook', { author: { name: 'Ann' } }, [1, 2]],
  ['RelBook', { 'author.name': { like: 'B%' }, pages: 30 }, [3]],
  ['RelBook', { or: [{ 'author.name': 'Bob' }, { name: 'four' }] }, [3, 4]],
  ['RelBook', { nor: [{ 'author.name': 'Ann' }] }, [3, 4, 5, 6, 7]],
  ['RelBook', { author: {} }, [1, 2, 3, 4, 7]],
  ['RelBook', { 'author.mentor.mentor.name': 'Eve' }, [7]],
  ['RelBook', { 'shelf.name': 'Ann' }, [1, 3]],
  ['RelBook', { shelf: {} }, [1, 2, 3, 6]],
  ['RelBook', { 'subjects.name': 'art' }, [1, 3]],
  ['RelBook', { 'readers.mentor.name': 'Ann' }, [1, 2]],
  ['RelAuthor', { 'mentor.name': 'Ann' }, [2, 3]],
  ['RelAuthor', { 'mentor.pupils.name': 'Bob' }, [2, 3]],
  ['RelAuthor', { 'pupils.pupils.age': 20 }, [1]],
  ['RelAuthor', { and: [{ 'books.name': 'one' }, { 'books.name': 'two' }] }, [1]],
  ['RelAuthor', { books: { name: 'one', pages: 20 } }, []],
  ['RelAuthor', { shortBooks: {} }, [1]],
  ['RelAuthor', { 'desk.name': 'oak' }, [1]],
  ['RelAuthor', { 'favorites.author.name': 'Ann' }, [1, 2, 5]],
  ['RelAuthor', { 'shelves.name': { inq: ['Ann', 'gone'] } }, [1]],
  ['RelAuthor', { shelves: {} }, [1, 2, 5]],
  ['RelShelf', { 'books.author.name': 'Bob' }, ['a']],
  ['RelSubject', { 'books.readers.name': 'Bob' }, [1, 2]],
  ['RelBook', { author: null }, [5, 6]],
  ['RelBook', { author: { neq: null } }, [1, 2, 3, 4, 7]],
  ['RelAuthor', { books: { some: { name: 'one' }, none: { pages: { gt: 25 } } } }, [1]],
  ['RelSubject', { books: { none: { 'readers.name': 'Bob' } } }, [3]],
  ['RelAuthor', { mentor: { pupils: { count: { gte: 2 } } } }, [2, 3]],
  ['RelAuthor', { favorites: { count: { gte: 2 } } }, [1, 5]],
  ['RelAuthor', { favorites: { count: { lte: 1, where: { 'author.name': 'Ann' } } } }, [1, 2, 3, 4]],
  ['RelAuthor', { shelves: { count: 0 } }, [3, 4]],
  ['RelBook', { subjects: { every: { name: 'art' } }, readers: { count: { lt: 1 } } }, [3, 4, 5, 6]]
]

/** Filters by model that order by the one related record. */
const orders: readonly (readonly [model: string, filter: Where])[] = [
  ['RelBook', { order: 'author.name' }],
  ['RelBook', { order: 'author.name DESC' }],
  ['RelBook', { order: ['author.age DESC', 'name'], limit: 3, skip: 1, fields: { id: true } }],
  ['RelBook', { order: ['pages', 'shelf.name DESC'], where: { 'author.mentor.name': { neq: 'Bob' } } }],
  ['RelBook', { order: 'author.id DESC' }],
  ['RelAuthor', { order: 'mentor.name' }],
  ['RelAuthor', { order: ['mentor.age DESC', 'id DESC'], limit: 2 }]
]

/** Changes by conditions on related records, and how many records they are about. */
const changes: readonly (readonly [model: string, where: Where, count: number])[] = [
  ['RelBook', { 'author.name': 'Ann' }, 2],
  ['RelBook', { nor: [{ 'author.books.name': 'one' }] }, 5],
  ['RelAuthor', { 'mentor.name': 'Ann' }, 2],
  ['RelAuthor', { 'books.author.favorites.name': 'three' }, 1],
  ['RelAuthor', { pupils: { none: { pupils: { some: {} } } } }, 3],
  ['RelAuthor', { pupils: { count: { lt: 2 } } }, 4],
  ['RelAuthor', { pupils: { count: { gte: 2 } } }, 1],
  ['RelBook', { subjects: { count: { lte: 1, where: { name: 'art' } } } }, 7]
]

/** That conditions on related records are carried out by the database. */
export const relatedCases: readonly SqlCase[] = [
  {
    name: 'a filter that reaches into related records is one statement',
    run: async (t, options) => {
      const { model, registry, watch } = await openWatched(t, options)
      for (const [name, where, ids] of oneStatement) {
        const text = JSON.stringify(where)
        const [found, statements] = await watch(() => model(name).find({ where }))
        t.strictSame([idsOf(found), statements], [ids, 1], text)
        t.strictSame(await watch(() => model(name).count(where)), [ids.length, 1], `count ${text}`)
        const [records, read] = await watch(() => readForServer(registry.typeOf(name), { where }))
        t.strictSame([idsOf(records.rows), read], [ids, 1], `rows ${text}`)
        const [first, queries] = await watch(() => model(name).findOne({ where }))
        t.strictSame([first === null ? [] : idsOf([first]), queries], [ids.slice(0, 1), 1], `findOne ${text}`)
      }
    }
  },
  {
    name: 'so is one in the scope of an include, besides the statement of the records that include',
    run: async (t, options) => {
      const { model, watch } = await openWatched(t, options)
      const scope = { where: { 'subjects.name': 'art' } }
      const filter = { where: { 'books.name': 'one' }, include: { relation: 'books', scope } }
      const [found, statements] = await watch(() => model('RelAuthor').find(filter))
      t.match(JSON.parse(JSON.stringify(found)), [{ id: 1, books: [{ id: 1 }] }])
      t.equal(statements, 2)
    }
  },
  {
    name: 'records change and go by conditions on related ones in one statement, their own table included',
    run: async (t, options) => {
      const { model, watch, fill } = await openWatched(t, options)
      for (const [name, where, count] of changes) {
        const text = JSON.stringify(where)
        t.strictSame(await watch(() => model(name).updateAll(where, { name: 'new' })), [{ count }, 1], text)
        t.equal(await model(name).count({ name: 'new' }), count, text)
        await fill()
        const before = await model(name).count()
        t.strictSame(await watch(() => model(name).destroyAll(where)), [{ count }, 1], text)
        t.equal(await model(name).count(), before - count, text)
        await fill()
      }
    }
  },
  {
    name: 'filters that reach into related records find what going through all records finds',
    run: async (t, options) => {
      const database = await openWatched(t, options)
      for (const name of startingModels) {
        for (const where of relatedWheres(name, Number(process.env['RELATED_FILTERS'] ?? 150))) {
          const expected = matchingIds(name, where)
          const [found, statements] = await database.watch(() => database.model(name).find({ where }))
          t.strictSame([new Set(idsOf(found)), statements], [new Set(expected), 1], `${name} ${JSON.stringify(where)}`)
        }
      }
    }
  },
  {
    name: 'a migration gives a table between a unique index of both keys, and names a pair that is there twice',
    run: async (t, options) => {
      const { registry, model } = await openRelated(t, options.create({}), options.mappingKey)
      const name = 'RelSubjectRelBook'
      const pair = { relBookId: 1, relSubjectId: 1 }
      await t.rejects(model(name).create(pair), { code: 'DUPLICATE_KEY', statusCode: 409 })
      // As LoopBack makes it.
      const before = new ModelRegistry()
      before.addDataSource('db', options.create({}))
      before.define({ name, properties: { relBookId: 'number', relSubjectId: 'number' } })
      before.attach(name, 'db')
      t.teardown(() => before.disconnect())
      await before.connect()
      await before.dataSources.get('db')?.connector.migrate?.([before.typeOf(name)], { empty: true })
      await before.get(name).create([pair, pair])
      const migration = async () =>
        registry.dataSources.get('db')?.connector.migrate?.([registry.typeOf(name)], { empty: false })
      await t.rejects(migration(), { code: 'MIGRATION_FAILED', message: /2 records of the table .* relbookid 1/i })
      await before.get(name).destroyById(1)
      await migration()
      await t.rejects(model(name).create(pair), { code: 'DUPLICATE_KEY' })
    }
  },
  {
    name: 'an order by the one related record is a part of the statement, and that of records in memory',
    run: async (t, options) => {
      const database = await openWatched(t, options)
      const reference = await openRelated(t, memory(), options.mappingKey)
      for (const [name, filter] of orders) {
        const expected = idsOf(await reference.model(name).find(filter))
        t.strictSame(
          await database.watch(async () => idsOf(await database.model(name).find(filter))),
          [expected, 1],
          `${name} ${JSON.stringify(filter)}`
        )
        const model = database.registry.typeOf(name)
        t.strictSame(idsOf((await readForServer(model, filter)).rows), expected, 'as rows')
      }
      const byDesk = { order: 'desk.name', limit: 1 }
      const [, statements] = await database.watch(() => database.model('RelAuthor').find(byDesk))
      t.equal(statements, 2, 'there may be several desks')
    }
  },
  {
    name: 'what the database cannot tell alone is read first',
    run: async (t, options) => {
      const { model, registry, watch } = await openWatched(t, options)
      const counts = async (name: string, where: Where): Promise<readonly [number, number]> =>
        watch(() => model(name).count(where))
      t.strictSame(await counts('RelAuthor', { firstBook: {} }), [1, 2], 'a page of the related records')
      t.strictSame(await counts('RelAuthor', { desk: { undeclared: null } }), [2, 2], 'undeclared properties')
      t.strictSame(await counts('RelDraft', { 'parts.writer.name': 'Ann' }), [1, 2], 'keys within parts of a record')
      t.strictSame(
        await counts('RelDraft', { 'parts.title': 'y' }),
        [1, 1],
        'the parts themselves are no other records'
      )
      registry.addDataSource('other', memory())
      registry.attach('RelDesk', 'other')
      await registry.typeOf('RelDesk').collection?.insert([{ id: 1, name: 'oak', authorId: 2 }])
      t.match(await model('RelAuthor').find({ where: { 'desk.name': 'oak' } }), [{ id: 2 }], 'another data source')
    }
  },
  {
    name: 'what observers have a say in is read first',
    run: async (t, options) => {
      const { model, registry, watch } = await openWatched(t, options)
      let calls = 0
      registry.typeOf('RelAuthor').hooks.observe('access', ({ query }) => {
        calls++
        if (query !== undefined) query['where'] = { name: 'Bob' }
      })
      t.strictSame(await watch(() => model('RelBook').count({ author: {} })), [1, 2], 'access to the related records')
      t.equal(calls, 1)
      const seen: unknown[] = []
      registry.typeOf('RelSubject').hooks.observe('access', ({ query }) => seen.push(query?.['where']))
      t.strictSame(
        await watch(() => model('RelSubject').count({ 'books.name': 'three' })),
        [1, 2],
        'access to the records'
      )
      registry.typeOf('RelShelf').hooks.observe('loaded', () => t.fail('nobody sees the records whose keys are sought'))
      t.strictSame(await watch(() => model('RelBook').count({ 'shelf.name': 'Ann' })), [2, 1], 'not loaded')
      registry.typeOf('RelBook').hooks.observe('before delete', ({ where }) => seen.push(where))
      t.strictSame(await model('RelBook').destroyAll({ 'shelf.name': 'Ann' }), { count: 2 })
      t.match(seen, [{ id: { keys: [1] } }, { shelfCode: { keys: ['a'] } }], 'they see keys')
    }
  },
  {
    name: 'what goes with records that are deleted by a condition on it goes first',
    run: async (t, options) => {
      const { model, registry, fill } = await openWatched(t, options)
      registry.typeOf('RelAuthor').deletionGuards.push({
        check: async () => {},
        apply: async (rows) => {
          await model('RelBook').destroyAll({ authorId: { inq: rows.map(({ id }) => id) } })
        }
      })
      t.strictSame(await model('RelAuthor').destroyAll({ 'books.name': 'one' }), { count: 1 })
      t.equal(await model('RelBook').count({ authorId: 1 }), 0)
      await fill()
    }
  },
  {
    name: 'a client learns nothing by related records that he may not ask for',
    run: async (t, options) => {
      const { model } = await openWatched(t, options)
      const client = { prohibitHiddenPropertiesInQuery: true }
      await t.rejects(async () => model('RelBook').find({ where: { 'author.secret': 'x' } }, client), {
        code: 'HIDDEN_PROPERTY_IN_FILTER'
      })
    }
  }
]
