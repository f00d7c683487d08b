import t from 'tap'
import { mergeConfig } from '#src/read/config/merge-config.ts'

const merges: [string, object, object, object][] = [
  ['adds keys', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ['replaces single values of any kind', { a: 'x', b: 1 }, { a: 3, b: false }, { a: 3, b: false }],
  ['merges objects deeply', { a: { x: 1, y: { z: 1 } } }, { a: { y: { q: 2 } } }, { a: { x: 1, y: { z: 1, q: 2 } } }],
  ['merges lists item by item', { a: [1, { b: 1 }] }, { a: [2, { c: 2 }] }, { a: [2, { b: 1, c: 2 }] }],
  ['takes null as it is', { a: { b: 1 } }, { a: null }, { a: null }],
  ['fills what was null', { a: null }, { a: { b: 1 } }, { a: { b: 1 } }]
]

for (const [name, base, over, merged] of merges) {
  void t.test(name, async (t) => {
    const before = JSON.stringify([base, over])
    t.strictSame(mergeConfig({ ...base }, { ...over }, 'server/config.local.json'), merged)
    t.equal(JSON.stringify([base, over]), before, 'neither is changed')
  })
}

const conflicts: [string, object, object, string][] = [
  ['a single value over an object', { a: { b: {} } }, { a: { b: 1 } }, 'a.b'],
  ['an object over a single value', { a: 1 }, { a: {} }, 'a'],
  ['a list over a single value', { a: 1 }, { a: [] }, 'a'],
  ['a single value over a list', { a: [1] }, { a: 1 }, 'a'],
  ['a list of another length', { a: [{ b: [1] }] }, { a: [{ b: [1, 2] }] }, 'a.0.b']
]

for (const [name, base, over, key] of conflicts) {
  void t.test(`refuses ${name}`, async (t) => {
    t.throws(() => mergeConfig({ ...base }, { ...over }, 'server/config.local.json'), {
      code: 'CONFIG_MERGE_CONFLICT',
      where: { file: 'server/config.local.json', key }
    })
  })
}

void t.test('leaves the prototype alone', async (t) => {
  const merged = mergeConfig({}, JSON.parse('{"__proto__":{"x":1}}') as Record<string, unknown>, 'f')
  t.equal(Object.getPrototypeOf(merged), Object.prototype)
  t.notOk('x' in merged)
})
