import t, { type Test } from 'tap'
import { bootApp } from '../../make-app.ts'

const files = {
  'common/models/thing.json': {
    name: 'Thing',
    properties: { label: 'string', n: 'number', pw: { type: 'string', default: 'dd' }, full: 'string' }
  },
  'common/models/thing.js': `module.exports = (Thing) => {
    Thing.getter.label = function () { return this.$label && '<' + this.$label + '>' }
    Thing.setter.pw = function (value) { this.$pw = value === undefined ? value : 'h(' + value + ')' }
    Thing.setter.n = function (value) { this.__data.n = value * 2 }
    Thing.getter.full = function () { return 'F' + this.$label }
  }`
}

interface Record {
  [name: string]: unknown
  patchAttributes: (data: object) => Promise<Record>
  toJSON: () => object
}
interface ThingClass {
  new (data: object): Record
  create: (data: object) => Promise<Record>
  findById: (id: number) => Promise<Record>
  getter: object
}

async function bootThing(t: Test) {
  const server = await bootApp(t, files)
  return { server, Thing: server.loopback.models['Thing'] as unknown as ThingClass } // as scripts see it
}

// The values are those of LoopBack 3.28 with the same script.
void t.test('setters take what a record is made of, getters give what is read', async (t) => {
  const { Thing } = await bootThing(t)
  const made = new Thing({ label: 'a', pw: 's', n: '3' })
  t.strictSame({ ...made.toJSON() }, { label: '<a>', n: 6, pw: 'h(s)', full: 'Fa' })
  t.strictSame(new Thing({}).toJSON(), { pw: 'dd', full: 'Fundefined' })
  t.strictSame(
    [made['label'], made['$label'], { ...Object(made['__data']) }],
    ['<a>', 'a', { label: 'a', n: 6, pw: 'h(s)' }]
  )
})

void t.test('what getters give is stored, and setters are called once for what a client sends', async (t) => {
  const { Thing, server } = await bootThing(t)
  const created = await server.inject({ method: 'POST', url: '/api/Things', payload: { label: 'a', pw: 's', n: 3 } })
  t.strictSame(created.json(), { label: '<a>', n: 6, pw: 'h(s)', full: 'Fa', id: 1 })
  t.strictSame((await server.inject('/api/Things')).json(), [{ label: '<<a>>', n: 6, pw: 'h(s)', full: 'F<a>', id: 1 }])
  const found = await Thing.findById(1)
  const patched = await found.patchAttributes({ pw: 'z' })
  t.strictSame(patched.toJSON(), { label: '<<a>>', n: 6, pw: 'h(z)', full: 'F<a>', id: 1 })
})

void t.test('a model that extends another one has accessors of its own', async (t) => {
  const { server } = await bootThing(t)
  const thing = server.loopback.models['Thing'] as unknown as { getter: object; base: { getter: object } } // as scripts see it
  t.strictSame(Object.keys(thing.getter), ['label', 'full'])
  t.strictSame(Object.keys(thing.base.getter), [])
})
