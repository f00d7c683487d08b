import { type SqlCase, openModels } from './sql-case.ts'

const strict = {
  name: 'SqlStrict',
  properties: { id: { type: 'number', id: true, generated: true }, title: { type: 'string', required: true } }
}

const named = {
  name: 'sqlnamed',
  strict: true,
  properties: {
    id: { type: 'number', id: true, generated: true },
    code: { type: 'string', unique: true },
    shelf: 'number',
    place: 'number'
  }
} as const

/** What callers are reported when something is wrong. */
export const faultCases: readonly SqlCase[] = [
  {
    name: 'an error names the property whose value exists already',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      const { collection } = registry.typeOf('SqlBook')
      await collection?.insert([{ isbn: '1' }])
      const again = async (): Promise<unknown> => collection?.insert([{ isbn: '1' }])
      await t.rejects(again, { code: 'DUPLICATE_KEY', statusCode: 409, property: 'isbn', value: '1' })
      const sameId = async (): Promise<unknown> => collection?.insert([{ id: 1 }])
      await t.rejects(sameId, { code: 'DUPLICATE_KEY', property: 'id', value: 1 })
    }
  },
  {
    name: 'an index that no model declares is told by its own name, whatever that ends with',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [named])
      await registry.dataSources.get('db')?.connector.execute?.('create unique index x_code on sqlnamed (shelf, place)')
      const { collection } = registry.typeOf('sqlnamed')
      await collection?.insert([{ code: 'a', shelf: 1, place: 2 }])
      const again = async (): Promise<unknown> => collection?.insert([{ code: 'b', shelf: 1, place: 2 }])
      const error: unknown = await again().catch((thrown: unknown) => thrown)
      t.match(error, { code: 'DUPLICATE_KEY', statusCode: 409, value: undefined })
      const { index, properties } = Object(Reflect.get(Object(error), 'details'))
      // SQLite names the columns alone, MySQL the index.
      t.ok(index === undefined || index === 'x_code')
      t.ok(properties.length === 0 || String(properties) === 'shelf,place')
      t.ok(index !== undefined || properties.length > 0)
    }
  },
  {
    name: 'a column that must not be null refuses it with a code',
    run: async (t, options) => {
      const { registry } = await openModels(t, options, [strict])
      const { collection } = registry.typeOf('SqlStrict')
      const insert = async (): Promise<unknown> => collection?.insert([{ title: null }])
      await t.rejects(insert, { code: 'CONSTRAINT_VIOLATED', statusCode: 422 })
    }
  },
  {
    name: 'a table that is missing is told as such',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      registry.define({ name: 'SqlNowhere' })
      registry.attach('SqlNowhere', 'db')
      await t.rejects(registry.get('SqlNowhere').find(), { code: 'DATABASE_SCHEMA_MISSING', statusCode: 500 })
    }
  },
  {
    name: 'a client that leaves is not waited for, and one that has left asks nothing',
    run: async (t, options) => {
      const { registry, statements } = await openModels(t, options)
      const { collection } = registry.typeOf('SqlBook')
      const everything = { order: [], skip: 0 }
      const left = { signal: AbortSignal.abort() }
      const cancelled = { code: 'STATEMENT_CANCELLED', statusCode: 499 }
      await t.rejects(async () => collection?.find(everything, left), cancelled)
      await t.rejects(async () => collection?.findById(1, left), cancelled)
      await t.rejects(async () => collection?.count(undefined, left), cancelled)
      t.strictSame(statements, [])
      const leaving = new AbortController()
      const end = t.rejects(async () => collection?.find(everything, leaving), cancelled)
      leaving.abort()
      await end
      t.equal(await collection?.count(undefined), 0)
    }
  },
  {
    name: 'after the end no statement is run, and a new start opens the database again',
    run: async (t, options) => {
      const { registry } = await openModels(t, options)
      await registry.disconnect()
      await t.rejects(registry.get('SqlBook').find(), { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
      await registry.connect()
      await registry.dataSources.get('db')?.connector.ping()
    }
  }
]
