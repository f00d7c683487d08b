import { memory } from '@modelwire/connector-memory'
import { type Model, ModelRegistry } from '@modelwire/core'
import { Records, repository, serverCall, stateOf } from '@modelwire/core/plugin'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { Serializers } from '#src/output/serialize-value.ts'

const properties = {
  text: 'string',
  number: 'number',
  flag: 'boolean',
  at: 'date',
  bytes: 'buffer',
  anything: 'any',
  secret: 'string',
  email: 'string'
}

function makeRegistry(): ModelRegistry {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  registry.define({ name: 'Thing', hidden: ['secret'], protected: ['email'], properties })
  registry.attach('Thing', 'db')
  return registry
}

/** The JSON of stored records as a client gets it. */
async function serialize(
  data: readonly object[],
  filter: object = {},
  serializers = new Serializers()
): Promise<unknown> {
  const registry = makeRegistry()
  await registry.get('Thing').create(data.map((record) => ({ ...record })))
  const found = await repository.findForResponse(registry.typeOf('Thing'), filter, serverCall())
  return JSON.parse(serializers.toJson(found) ?? '')
}

t.test('records show what is declared in its order, then the rest, and nothing hidden', async (t) => {
  const record = {
    more: [1],
    text: 'a"\\\n\u2028\ud800',
    number: 1.5,
    flag: false,
    at: new Date(0),
    secret: 's',
    email: 'e',
    nothing: null
  }
  const shown = {
    text: record.text,
    number: 1.5,
    flag: false,
    at: '1970-01-01T00:00:00.000Z',
    email: 'e',
    id: 1,
    more: [1],
    nothing: null
  }
  const [answer] = (await serialize([record])) as [object]
  t.strictSame(answer, shown)
  t.strictSame(Object.keys(answer), Object.keys(shown))
  t.strictSame(await serialize([{ bytes: Buffer.from('a') }]), [{ bytes: { type: 'Buffer', data: [97] }, id: 1 }])
  t.strictSame(await serialize([]), [])
})

t.test('chosen fields are shown, hidden ones never', async (t) => {
  const record = { text: 'a', number: 1, secret: 's', more: 1 }
  t.strictSame(await serialize([record], { fields: ['text', 'secret', 'more', 'none'] }), [{ text: 'a', more: 1 }])
  t.strictSame(await serialize([record], { fields: ['none'] }), [{}])
})

t.test('undeclared fields are shown also where rows lack declared ones', async (t) => {
  const model = makeRegistry().typeOf('Thing')
  const rows = [{ text: 'a', ...Object.fromEntries(Object.keys(properties).map((name) => [`own ${name}`, 1])) }]
  const shown = new Records(model, { rows, selected: new Set(['text', 'own text']) }, false)
  t.equal(new Serializers().toJson(shown), '[{"text":"a","own text":1}]')
})

t.test('one set of fields is never taken for another', async (t) => {
  const serializers = new Serializers()
  const registry = makeRegistry()
  const model = registry.typeOf('Thing')
  const rows = [{ text: 'a', number: 1, id: 1 }]
  const show = (...names: string[]) => serializers.toJson(new Records(model, { rows, selected: new Set(names) }, false))
  for (const names of [['number\ntext'], ['number,text'], ['number","text'], ['["number","text"]']])
    t.equal(show(...names), '[{}]')
  t.equal(show('number', 'text'), '[{"text":"a","number":1}]')
  t.equal(show('text', 'number'), '[{"text":"a","number":1}]')
})

t.test('many sets of fields cost no more than a few', async (t) => {
  const serializers = new Serializers()
  const model = makeRegistry().typeOf('Thing')
  for (let count = 0; count < 300; count++) {
    const selected = new Set(['text', `x${count}`])
    t.equal(serializers.toJson(new Records(model, { rows: [{ text: 'a' }], selected }, true)), '{"text":"a"}')
  }
})

t.test('related records are shown beside the properties, without what is protected', async (t) => {
  const Thing = makeRegistry().get('Thing')
  const outer = new Thing({ text: 'a', email: 'e' }) as unknown as Model
  const inner = new Thing({ text: 'b', email: 'e', secret: 's' })
  stateOf(outer).related = { one: inner, many: [inner], none: null, plain: { a: 1 } }
  const shown = { text: 'b' }
  const answer = JSON.parse(new Serializers().toJson(outer) ?? '') as unknown
  t.strictSame(answer, { text: 'a', email: 'e', one: shown, many: [shown], none: null, plain: { a: 1 } })
  t.strictSame(new Serializers().toPlain([outer, 5]), [answer, 5])
})

t.test('a single record is an object, other results are plain JSON', async (t) => {
  const registry = makeRegistry()
  const model = registry.typeOf('Thing')
  const serializers = new Serializers()
  t.equal(serializers.toJson(new Records(model, { rows: [{ text: 'a' }] }, true)), '{"text":"a"}')
  t.equal(serializers.toJson({ count: 1 }), '{"count":1}')
  t.equal(serializers.toJson(undefined), undefined)
  t.equal(serializers.toJson(null), 'null')
})

const scalar = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null), fc.integer())
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(fc.string(), scalar, { maxKeys: 3 }))

t.test('whatever a row holds, its JSON is what JSON.stringify makes of it', async () => {
  const model = makeRegistry().typeOf('Thing')
  const serializers = new Serializers()
  const row = fc.record(
    { text: value, number: value, flag: value, at: fc.oneof(value, fc.date()), anything: value, more: value },
    { requiredKeys: [] }
  )
  fc.assert(
    fc.property(row, (partial) => {
      const complete = { ...Object.fromEntries(model.properties.map(({ name }) => [name, undefined])), ...partial }
      const text = serializers.toJson(new Records(model, { rows: [complete] }, true))
      return JSON.stringify(JSON.parse(text ?? '')) === JSON.stringify(JSON.parse(JSON.stringify(complete)))
    }),
    { numRuns: runs(1000) }
  )
})

t.test('related values lie behind a row: rows of another model lose what is protected there', async (t) => {
  const registry = makeRegistry()
  registry.define({ name: 'Part', properties: { name: 'string', note: 'string' }, protected: ['note'] })
  const [thing, part] = [registry.typeOf('Thing'), registry.typeOf('Part')]
  const serializers = new Serializers()
  const parts = new Records(
    part,
    {
      rows: [
        { name: 'a', note: 'n' },
        { name: 'b', note: 'm' }
      ]
    },
    false
  )
  const named = new Records(part, { rows: [{ name: 'a', note: 'n' }], selected: new Set(['name']) }, true)
  const found = new Records(thing, { rows: [{ text: 'x' }, {}], related: [{ parts, named, none: null }, {}] }, false)
  t.equal(
    serializers.toJson(found),
    '[{"text":"x","parts":[{"name":"a"},{"name":"b"}],"named":{"name":"a"},"none":null},{}]'
  )
  t.equal(
    serializers.toJson(new Records(thing, { rows: [{}], related: [{ parts }] }, true)),
    '{"parts":[{"name":"a"},{"name":"b"}]}'
  )
})
