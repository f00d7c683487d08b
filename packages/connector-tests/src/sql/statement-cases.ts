import { ModelRegistry } from '@modelwire/core'
import type { Filter } from '@modelwire/core/connector'
import { repository, serverCall } from '@modelwire/core/plugin'
import { book, openModels, type SqlCase } from './sql-case.ts'

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
      t.equal(statements.length, options.insertMany ?? 1, 'twenty records are inserted at once')
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
    name: 'an upsert of a part of a record leaves its required properties as they are, and refuses a new record without them',
    run: async (t, options) => {
      const { properties } = book
      const strict = { name: 'StrictBook', properties: { ...properties, title: { type: 'string', required: true } } }
      const { registry } = await openModels(t, options, [strict])
      const { collection } = registry.typeOf('StrictBook')
      await collection?.insert([{ title: 'a' }])
      t.match(await collection?.upsert({ id: 1, pages: 2 }), { created: false, row: { title: 'a', pages: 2 } })
      await t.rejects(async () => collection?.upsert({ id: 7, pages: 3 }), { code: 'CONSTRAINT_VIOLATED' })
      t.equal(await collection?.count(undefined), 1)
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
  },
  {
    name: 'the records of many keys are one statement, each list ordered and cut by itself',
    run: async (t, options) => {
      const { registry, statements } = await openModels(t, options)
      const { collection } = registry.typeOf('SqlBook')
      const titles = ['a', 'a', 'a', 'b', 'c']
      await collection?.insert(titles.map((title, pages) => ({ title, pages })))
      const order = [{ path: ['pages'], descending: true }]
      const shown = async (filter: Filter, keys: readonly unknown[]): Promise<unknown> => {
        statements.length = 0
        const lists = await collection?.findRelated?.({ keys, property: 'title', filter })
        t.equal(statements.length, 1)
        return lists?.map((list) => list.map(({ title, pages }) => `${String(title)}${String(pages)}`))
      }
      t.same(await shown({ order: [], skip: 0 }, ['b', 'a', 'none']), [['b3'], ['a0', 'a1', 'a2'], []])
      t.same(await shown({ order, skip: 0, limit: 2 }, ['a', 'b']), [['a2', 'a1'], ['b3']])
      t.same(await shown({ order, skip: 1 }, ['a', 'c']), [['a1', 'a0'], []])
      const where = { kind: 'test', path: ['pages'], test: 'range', bounds: [{ is: '<', value: 2 }] } as const
      t.same(await shown({ order, skip: 0, limit: 1, where, fields: new Set(['title', 'pages']) }, ['a']), [['a1']])
    }
  },
  {
    name: 'a patch that nobody has to see is as few statements as the database allows',
    run: async (t, options) => {
      const titled = { ...book, properties: { ...book.properties, title: { type: 'string', required: true } } }
      const { registry, statements } = await openModels(t, options, [titled])
      const model = registry.typeOf('SqlBook')
      await model.collection?.insert([
        { title: 'a', pages: 1 },
        { title: '', pages: 2 }
      ])
      const isOne = model.dataSource?.connector.capabilities.operations.has('patch') === true
      statements.length = 0
      const found = await repository.patchForResponse(model, 1, { pages: 5 }, serverCall())
      t.match(found, { rows: [{ id: 1, title: 'a', pages: 5 }] })
      t.equal(statements.length, isOne ? 1 : 2)
      await t.rejects(async () => repository.patchForResponse(model, 2, { pages: 5 }, serverCall()), {
        code: 'VALIDATION_FAILED'
      })
      await t.rejects(async () => repository.patchForResponse(model, 1, { title: '' }, serverCall()), {
        code: 'VALIDATION_FAILED'
      })
      await t.rejects(async () => repository.patchForResponse(model, 1, { id: 9, pages: 7 }, serverCall()), {
        code: 'ID_MISMATCH'
      })
      t.equal(await repository.patchForResponse(model, 9, { pages: 5 }, serverCall()), undefined)
      t.match(await repository.patchForResponse(model, '2', { title: 'b', extra: 1 }, serverCall()), {
        rows: [{ id: 2, title: 'b', pages: 2, extra: 1 }]
      })
      t.match(await model.collection?.find({ order: [], skip: 0 }), [{ pages: 5 }, { pages: 2, title: 'b' }])
    }
  }
]
