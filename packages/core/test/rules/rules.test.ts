import t from 'tap'
import { isBlank, makeCustomRule, makeRule, type RuleKind, type RuleOptions } from '#src/rules/rules.ts'
import type { Rule } from '#src/rules/rule.ts'

type Data = Record<string, unknown>

/** The codes that a rule finds for a record. */
async function codesOf(rule: Rule, record: Data, taken: (values: Data) => boolean = () => false): Promise<string[]> {
  const found = await rule.check({ record, options: {}, isTaken: async (values) => taken(values) })
  return found.map(({ code }) => code)
}

type Cases = readonly (readonly [options: RuleOptions, value: unknown, codes: readonly string[]])[]

const cases: Readonly<Partial<Record<RuleKind, Cases>>> = {
  presence: [
    [{}, 'x', []],
    [{}, ' ', []],
    [{}, 0, []],
    [{}, false, []],
    [{}, undefined, ['presence']],
    [{}, null, ['presence']],
    [{}, '', ['presence']],
    [{}, [], ['presence']],
    [{}, NaN, ['presence']],
    [{ code: 'needed' }, '', ['needed']],
    [{ asSchema: true }, '', []],
    [{ asSchema: true }, [], []],
    [{ asSchema: true }, null, ['presence']]
  ],
  absence: [
    [{}, undefined, []],
    [{}, '', []],
    [{}, 'x', ['absence']],
    [{}, 0, ['absence']]
  ],
  length: [
    [{ min: 2, max: 3 }, 'ab', []],
    [{ min: 2 }, 'a', ['length.min']],
    [{ max: 3 }, 'abcd', ['length.max']],
    [{ is: 4 }, 'abc', ['length.is']],
    [{ min: 1 }, [1], []],
    [{ min: 2 }, '', ['length.blank']],
    [{ min: 2 }, null, ['length.null']],
    [{ min: 2 }, undefined, ['length.blank']],
    [{ min: 2, allowNull: true }, undefined, ['length.blank']],
    [{ min: 2, allowNull: true }, null, []],
    [{ min: 2, allowBlank: true }, '', []],
    [{ min: 2, allowBlank: true }, null, []],
    [{ min: 2, asSchema: true }, '', ['length.min']],
    [{ min: 2, asSchema: true }, null, []]
  ],
  numericality: [
    [{}, 5, []],
    [{}, '5', ['numericality.number']],
    [{}, NaN, ['numericality.number']],
    [{ int: true }, 5, []],
    [{ int: true }, 5.5, ['numericality.int']],
    [{}, undefined, ['numericality.blank']],
    [{}, null, ['numericality.null']]
  ],
  range: [
    [{ min: 1, max: 2 }, 1, []],
    [{ min: 1 }, 0, ['range.low']],
    [{ max: 1 }, 2, ['range.high']],
    [{ moreThan: 1 }, 1, ['range.low']],
    [{ lessThan: 1 }, 1, ['range.high']],
    [{ multipleOf: 0.01 }, 19.99, []],
    [{ multipleOf: 0.01 }, 19.999, ['range.step']],
    [{ multipleOf: 3 }, 9, []],
    [{ min: 1 }, 'x', []]
  ],
  inclusion: [
    [{ in: ['a', 1] }, 'a', []],
    [{ in: ['a', 1] }, '1', ['inclusion']],
    [{ in: ['a'] }, undefined, ['inclusion.blank']],
    [{ in: ['a'], asSchema: true }, '', ['inclusion']]
  ],
  exclusion: [
    [{ in: ['root'] }, 'ann', []],
    [{ in: ['root'] }, 'root', ['exclusion']]
  ],
  format: [
    [{ with: /^a/ }, 'ab', []],
    [{ with: /^a/g }, 'ab', []],
    [{ with: '^a' }, 'ba', ['format']],
    [{ with: /^a/, code: 'own' }, 'ba', ['own']],
    [{ with: /^1/ }, 12, []]
  ]
}

for (const [kind, list] of Object.entries(cases)) {
  t.test(`${kind} looks at values as LoopBack does`, async (t) => {
    for (const [options, value, codes] of list) {
      // The keys of the table are kinds.
      const rule = makeRule(kind as RuleKind, 'value', options)
      t.match(rule, { kind, property: 'value', sync: true })
      t.strictSame(await codesOf(rule, { value }), codes, `${JSON.stringify(options)} ${JSON.stringify(value)}`)
    }
  })
}

t.test('a pattern with state gives the same answer each time', async (t) => {
  const rule = makeRule('format', 'value', { with: /a/g })
  for (let count = 0; count < 3; count++) t.strictSame(await codesOf(rule, { value: 'a' }), [])
})

t.test('uniqueness asks for other records, within a scope', async (t) => {
  const asked: Data[] = []
  const taken = (values: Data) => asked.push(values) > 0
  const rule = makeRule('uniqueness', 'email', { scopedTo: ['realm', 5] })
  t.equal(rule.sync, false)
  t.strictSame(await codesOf(rule, { email: 'a', realm: 'r', name: 'n' }, taken), ['uniqueness'])
  for (const email of [undefined, null, '']) t.strictSame(await codesOf(rule, { email }, taken), [])
  t.strictSame(asked, [{ email: 'a', realm: 'r' }])
  t.strictSame(await codesOf(makeRule('uniqueness', 'email', { scopedTo: 'realm' }), { email: 'a' }), [])
})

async function messageOf(options: RuleOptions): Promise<string | undefined> {
  const rule = makeRule('length', 'value', { min: 2, ...options })
  const [problem] = await rule.check({ record: { value: 'a' }, options: {}, isTaken: async () => false })
  return problem?.message
}

t.test('messages are those of the rule, of its sub-code, or ours', async (t) => {
  t.equal(await messageOf({}), 'is too short')
  t.equal(await messageOf({ message: 'no' }), 'no')
  t.equal(await messageOf({ message: { min: 'short', max: 'long' } }), 'short')
  t.equal(await messageOf({ message: { max: 'long' } }), 'is too short')
})

const conditions: readonly (readonly [options: RuleOptions, applies: boolean])[] = [
  [{ if: 'flag' }, true],
  [{ if: 'missing' }, false],
  [{ unless: 'flag' }, false],
  [{ unless: 'missing' }, true],
  [{ if: 'method' }, true],
  [
    {
      if(this: Data) {
        return this['flag'] === true
      }
    },
    true
  ],
  [{ unless: () => true }, false],
  [{ if: false }, false],
  [{ if: 'flag', unless: 'flag' }, false]
]

t.test('if and unless name a property, a method or a function', async (t) => {
  const record = { flag: true, method: () => true }
  for (const [options, applies] of conditions) {
    t.strictSame(await codesOf(makeRule('presence', 'value', options), record), applies ? ['presence'] : [])
    const custom = makeCustomRule('value', (err) => err(), options)
    t.strictSame(await codesOf(custom, record), applies ? ['custom'] : [])
  }
})

t.test('a custom rule calls err with a kind of its own', async (t) => {
  const rule = makeCustomRule(
    'tags',
    function (this: unknown, err) {
      err('many')
      err()
    },
    { code: 'own' }
  )
  t.strictSame(await codesOf(rule, {}), ['own.many', 'own'])
  const seen = makeCustomRule('tags', function (this: unknown, err) {
    if ((this as Data)['bad'] === true) err()
  })
  t.strictSame(await codesOf(seen, { bad: true }), ['custom'])
  t.strictSame(await codesOf(seen, { bad: false }), [])
})

type Validate = Parameters<typeof makeCustomRule>[1]

const asynchronous: Readonly<Record<string, Validate>> = {
  'calls done': (err, done) => {
    setImmediate(() => {
      err()
      done()
    })
  },
  resolves: async (complain) => {
    await Promise.resolve()
    complain()
  },
  'resolves to something': async (err, _done) => {
    err()
    return true
  }
}

const failing: Validate = async () => {
  throw new TypeError('no')
}

t.test('an asynchronous rule calls done or resolves', async (t) => {
  for (const [title, validate] of Object.entries(asynchronous)) {
    const rule = makeCustomRule('a', validate, {}, true)
    t.equal(rule.sync, false)
    t.strictSame(await codesOf(rule, {}), ['custom'], title)
  }
  await t.rejects(codesOf(makeCustomRule('a', failing, {}, true), {}), { name: 'TypeError' })
})

t.test('options that a kind cannot do without are demanded', async (t) => {
  for (const kind of ['inclusion', 'exclusion', 'format'] as const) {
    t.throws(() => makeRule(kind, 'value'), { code: 'OPTION_INVALID' })
  }
  t.throws(() => makeRule('inclusion', 'value', { in: 'a' }), { code: 'OPTION_INVALID' })
})

t.test('null, absent, NaN, empty text and empty list are blank', async (t) => {
  for (const value of [undefined, null, '', [], NaN]) t.equal(isBlank(value), true)
  for (const value of [' ', 0, false, {}, [null]]) t.equal(isBlank(value), false)
})
