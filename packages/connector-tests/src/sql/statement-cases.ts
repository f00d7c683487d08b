import { ModelRegistry } from '@modelwire/core'
import type { SqlCase } from './sql-case.ts'
import { openModels } from './sql-case.ts'

/** That operations are carried out by the database, with as few statements as can be. */
export const statementCases: readonly SqlCase[] = [
  {
    name: 'every read is one statement, whatever the filter says',
    run: async (t, options) => {
      const { registry, statements } = await openModels(t, options)
      const Book = registry.get('SqlBook')
      await Book.create(
        Array.from({ length: 20 }, (_, pages) => ({ title: `b${pages}`, pages, meta: { a: { b: pages } } }))
      )
      t.equal(statements.length, 1, 'twenty records are inserted at once')
      const filters = [
        {},
        {
          where: { pages: { between: [3, 12] }, title: { nlike: 'b5%' } },
          order: ['pages DESC', 'title'],
          limit: 5,
          skip: 1
        },
        { where: { or: [{ 'meta.a.b': { gt: 17 } }, { title: { regexp: '^b1$' } }] }, fields: { title: true } },
        { where: { place: { near: '1,2', maxDistance: 5 } } }
      ]
      for (const filter of filters) {
        statements.length = 0
        await Book.find(filter)
        t.equal(statements.length, 1, JSON.stringify(filter))
      }
      statements.length = 0
      t.equal(await Book.count({ pages: { lt: 4 } }), 4)
      t.equal(statements.length, 1, 'count')
    }
  },
  {
    name: 'an update and a removal of many are one statement',
    run: async (t, options) => {
      const { registry, statements } = await openModels(t, options)
      const { collection } = registry.typeOf('SqlBook')
      await collection?.insert([{ title: 'a' }, { title: 'b' }])
      statements.length = 0
      t.equal(await collection?.update(undefined, { pages: 3 }), 2)
      t.equal(await collection?.delete(undefined), 2)
      t.equal(statements.length, 2)
    }
  },
  {
    name: 'an upsert takes as many statements as documented',
    run: async (t, options) => {
      const { registry, statements } = await openModels(t, options)
      const { collection } = registry.typeOf('SqlBook')
      await collection?.insert([{ title: 'a' }])
      statements.length = 0
      t.match(await collection?.upsert({ id: 1, pages: 2 }), { created: false, row: { title: 'a', pages: 2 } })
      t.equal(statements.length, options.upsert.patch, 'of a record that is there')
      statements.length = 0
      t.match(await collection?.upsert({ id: 7, pages: 3 }), { created: true })
      t.equal(statements.length, options.upsert.insert, 'of a new record')
    }
  },
  {
    name: 'fields reads no other columns',
    run: async (t, options) => {
      const { registry, statements } = await openModels(t, options)
      await registry.get('SqlBook').find({ fields: { title: true } })
      t.notMatch(statements[0], /pages/)
    }
  },
  {
    name: 'a property that is declared after its model was attached has a column, as keys of relations do',
    run: async (t, options) => {
      const registry = new ModelRegistry()
      const connector = options.create({})
      t.teardown(() => registry.disconnect())
      registry.addDataSource('db', connector)
      registry.define({ name: 'SqlLate', strict: true, properties: { id: { type: 'number', id: true } } })
      registry.attach('SqlLate', 'db')
      registry.defineProperty('SqlLate', 'ownerId', { type: 'number' })
      await connector.migrate?.([registry.typeOf('SqlLate')], { empty: true })
      await registry.get('SqlLate').create({ id: 1, ownerId: 7 })
      t.match(await registry.get('SqlLate').find({ where: { ownerId: 7 } }), [{ id: 1, ownerId: 7 }])
    }
  }
]
