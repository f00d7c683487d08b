import { ModelRegistry } from '@modelwire/core'
import { conditionsOn } from '@modelwire/connector-tests'
import t from 'tap'
import { loopback } from '#src/loopback.ts'

type Callback = (error: unknown, result?: unknown) => void

void t.test('a record is replaced by its id where its condition has a value that the database refuses', async (t) => {
  const refused = Object.assign(new Error('out of range'), { code: '22003' })
  const written: object[] = []
  const stored = { id: 1, size: 5, meta: '{"a":1}' }
  // A connector for tables, with a column of small numbers.
  const driver = {
    name: 'tables',
    relational: true,
    buildWhere: () => ({}),
    getDefaultIdType: () => Number,
    all: (_m: string, filter: object, _o: object, callback: Callback) =>
      'where' in filter && JSON.stringify(filter.where).includes('lt') ? callback(refused) : callback(null, [stored]),
    count: (_m: string, _where: object, _o: object, callback: Callback) => callback(refused),
    update: (_m: string, _where: object, _data: object, _o: object, callback: Callback) => callback(refused),
    updateAttributes(_m: string, id: number, data: object, _o: object, callback: Callback) {
      written.push({ id, ...data })
      callback(null)
    }
  }
  const registry = new ModelRegistry()
  registry.define({
    name: 'Thing',
    properties: { id: { type: 'number', id: true }, size: 'number', meta: 'any', note: 'string' }
  })
  const initialize = (dataSource: object, callback: Callback): void => {
    Object.assign(dataSource, { connector: driver })
    callback(null)
  }
  registry.addDataSource('db', loopback({ initialize }))
  registry.attach('Thing', 'db')
  const type = registry.typeOf('Thing')
  const where = conditionsOn(type).is('size', 'lt', 1e30)
  t.equal(await type.collection?.replace(1, { id: 1, size: 6, meta: { a: 2 } }, where), true)
  t.strictSame(written, [{ id: 1, size: 6, meta: '{"a":2}', note: null }], 'its values are encoded once')
})
