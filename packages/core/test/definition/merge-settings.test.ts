import t from 'tap'
import { mergeSettings } from '#src/definition/inherit-definition.ts'

const base = {
  plural: 'papers',
  description: ['a', 'b'],
  scope: { where: { old: false }, order: 'id' },
  scopes: { fresh: { where: { year: 2020 }, limit: 3 } },
  relations: { author: { type: 'belongsTo', model: 'Author' } },
  hidden: ['secret'],
  list: [1, 2]
}

t.test('settings are merged all the way down, but for relations and descriptions', async (t) => {
  const merged = mergeSettings(base, {
    plural: 'news',
    description: ['c'],
    scope: { order: 'year' },
    scopes: { fresh: { limit: 1 }, old: {} },
    relations: { author: { type: 'hasOne' } },
    hidden: ['cost', 'secret'],
    list: [2, 3]
  })
  t.strictSame(merged, {
    plural: 'news',
    description: ['c'],
    scope: { where: { old: false }, order: 'year' },
    scopes: { fresh: { where: { year: 2020 }, limit: 1 }, old: {} },
    relations: { author: { type: 'hasOne' } },
    hidden: ['secret', 'cost'],
    list: [1, 2, 3]
  })
})

t.test('configureModelMerge: true replaces, but for maps that are joined by name', async (t) => {
  const merged = mergeSettings(base, {
    configureModelMerge: true,
    plural: null,
    scope: { order: 'year' },
    scopes: { fresh: { limit: 1 } },
    hidden: ['cost'],
    list: [3]
  })
  t.notOk('plural' in merged, 'null takes a setting away')
  t.match(merged, { scope: { order: 'year' }, scopes: { fresh: { limit: 1 } }, hidden: ['secret', 'cost'] })
  t.strictSame([merged['scope'], merged['scopes'], merged['list']], [{ order: 'year' }, { fresh: { limit: 1 } }, [3]])
})

t.test('configureModelMerge may be policies of its own', async (t) => {
  const policies = { scope: { replace: true }, scopes: { patch: true } }
  const merged = mergeSettings(base, {
    configureModelMerge: policies,
    scope: {},
    scopes: { fresh: {} },
    list: [3]
  })
  t.strictSame([merged['scope'], merged['scopes'], merged['list']], [{}, { fresh: {} }, [1, 2, 3]])
})

t.test('what is no plain object is not merged, and no name reaches a prototype', async (t) => {
  const scope = () => ({ order: 'id' })
  t.equal(mergeSettings(base, { scope })['scope'], scope)
  t.equal(mergeSettings(base, { scopes: null })['scopes'], null)
  const merged = mergeSettings({ options: { a: 1 } }, JSON.parse('{"options": {"__proto__": {"polluted": true}}}'))
  t.equal(Reflect.get({}, 'polluted'), undefined)
  t.strictSame(Object.keys(merged['options'] ?? {}), ['a', '__proto__'])
})
