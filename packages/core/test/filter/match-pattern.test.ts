import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { codePattern, likePattern, parseRegexp, regexpPattern } from '#src/operators/match-pattern.ts'

const words = ['abc', 'a\nb', 'a😀b', '50%_x', 'a[b', 'a*b', String.raw`a\b`, 'Anvil', 'ΟΔΟΣ', '']

const likes: readonly (readonly [like: string, found: readonly string[]])[] = [
  ['a%b', ['abc', 'a\nb', 'a😀b', 'a[b', 'a*b', String.raw`a\b`]],
  ['a_b', ['a\nb', 'a😀b', 'a[b', 'a*b', String.raw`a\b`]],
  ['a__b', []],
  ['bc', ['abc']],
  ['b%a', []],
  ['%', words],
  ['%%', words],
  ['_', words.slice(0, -1)],
  ['', []],
  [String.raw`50\%`, ['50%_x']],
  [String.raw`\%\_x`, ['50%_x']],
  ['^A', ['Anvil']],
  ['l$', ['Anvil']],
  ['a.b', ['a😀b', 'a[b', 'a*b', String.raw`a\b`]],
  ['[x-z]', ['50%_x']],
  ['[%]', ['50%_x']],
  [String.raw`\d`, ['50%_x']],
  ['c|l', ['abc', 'Anvil']],
  ['a*b', ['abc', 'a\nb', 'a😀b', 'a[b', 'a*b', String.raw`a\b`]],
  [String.raw`a\*b`, ['a*b']],
  ['[', ['a[b']],
  ['(', []],
  ['+', []],
  ['a\\', [String.raw`a\b`]]
]

for (const [like, found] of likes) {
  void t.test(`like ${JSON.stringify(like)} finds what it should`, async (t) => {
    const pattern = likePattern(like)
    t.same(
      words.filter((word) => pattern.test(word)),
      found
    )
  })
}

void t.test('ilike folds letters of all alphabets', async (t) => {
  const ignoreCase = true
  t.equal(likePattern('aNV_L', { ignoreCase }).test('Anvil'), true)
  t.equal(likePattern('οδος', { ignoreCase }).test('ΟΔΟΣΑ'), true)
  t.equal(likePattern('^anv', { ignoreCase }).test('Anvil'), true)
  t.equal(likePattern('anv').test('Anvil'), false)
})

void t.test('a like text that repeats nothing is refused', async (t) => {
  for (const like of ['*', '**', '*a']) t.throws(() => likePattern(like), { code: 'INVALID_PATTERN', statusCode: 400 })
})

void t.test('what has no linear running time is refused and the message says so', async (t) => {
  const sources = [
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(?<!a)b',
    String.raw`(a)\1`,
    String.raw`(?<n>a)\k<n>`,
    'a{2000}',
    '(a{99}){99}'
  ]
  for (const source of sources) {
    t.throws(() => regexpPattern(source), { code: 'INVALID_PATTERN', message: /not supported/ }, source)
    t.throws(() => likePattern(source), { code: 'INVALID_PATTERN' }, source)
  }
})

void t.test('expressions that take others exponential time take none', async (t) => {
  const text = `${'a'.repeat(30)}!`
  for (const source of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(.*)*x'])
    t.equal(regexpPattern(source).test(text), false, source)
  t.equal(likePattern(`${'%a'.repeat(200)}b`).test('a'.repeat(10_000)), false)
  t.equal(likePattern(`${'a_'.repeat(200)}b`).test('a'.repeat(10_000)), false)
  t.equal(likePattern(`[${String.raw`\a`.repeat(400)}`).test('a'), false)
})

void t.test('patterns have a largest length', async (t) => {
  t.throws(() => likePattern('a'.repeat(1001)), { code: 'LIMIT_EXCEEDED' })
  t.throws(() => regexpPattern('a'.repeat(1001)), { code: 'LIMIT_EXCEEDED' })
  t.throws(() => regexpPattern('aaaa', { maxLength: 3 }), { code: 'LIMIT_EXCEEDED' })
  t.throws(() => regexpPattern('(?:abcd){900}'), { code: 'LIMIT_EXCEEDED' })
  t.equal(regexpPattern('a'.repeat(1000)).test('a'.repeat(1000)), true)
})

void t.test('a regexp that is none is looked for as text', async (t) => {
  t.equal(regexpPattern('a[').test('xa[x'), true)
  t.equal(regexpPattern('*').test('a*b'), true)
  t.equal(regexpPattern('(?i)a').test('(?i)a'), true, 'RE2 would take it for a flag')
})

void t.test('escapes mean what they mean in JavaScript', async (t) => {
  const cases = [
    [String.raw`\A`, 'A'],
    [String.raw`\z`, 'z'],
    [String.raw`\Qa\E`, 'QaE'],
    [String.raw`\pN`, 'pN'],
    [String.raw`\é`, 'é']
  ]
  for (const [source = '', text = ''] of cases) t.equal(regexpPattern(source).test(text), true, source)
  t.equal(regexpPattern('[[:alpha:]]').test('b'), false)
  t.equal(regexpPattern('[[:alpha:]]').test('p]'), true)
  t.equal(regexpPattern(String.raw`[\b]`).test('\b'), true)
  t.equal(regexpPattern(String.raw`\u0041\x42\cA`).test('AB\u0001'), true)
})

void t.test('ignoreCase and multiline', async (t) => {
  t.equal(regexpPattern('^B', { ignoreCase: true }).test('bell'), true)
  t.equal(regexpPattern('^b').test('a\nb'), false)
  t.equal(regexpPattern('^b', { multiline: true }).test('a\nb'), true)
})

void t.test('parseRegexp reads the form with slashes', async (t) => {
  t.same(parseRegexp('^a'), { source: '^a', flags: '' })
  t.same(parseRegexp('/^a/i'), { source: '^a', flags: 'i' })
  t.same(parseRegexp('/a/b/gim'), { source: 'a/b', flags: 'gim' })
  for (const text of ['/', '/a', '/a/z', '/a/ii', '/a/gimi', '/[/', '/(/i'])
    t.throws(() => parseRegexp(text), { code: 'INVALID_PATTERN' }, text)
})

void t.test('a RegExp from code keeps no state between tests', async (t) => {
  const pattern = codePattern(/a/giy)
  t.same([pattern.test('xA'), pattern.test('xA'), pattern.test('b')], [true, true, false])
  t.equal(pattern.ignoreCase, true)
})

void t.test('a linear expression finds what JavaScript finds', async (t) => {
  const letter = fc.constantFrom(
    'a',
    'b',
    'c',
    '.',
    '[ab]',
    '[^a]',
    String.raw`\d`,
    String.raw`\w`,
    '1',
    '^',
    '$',
    String.raw`\b`
  )
  const { anySource } = fc.letrec<{ anySource: string }>((tie) => ({
    anySource: fc.oneof(
      { depthSize: 'small' },
      letter,
      fc.tuple(tie('anySource'), tie('anySource')).map((parts) => parts.join('')),
      fc.tuple(tie('anySource'), tie('anySource')).map(([a, b]) => `(${a}|${b})`),
      fc
        .tuple(tie('anySource'), fc.constantFrom('*', '+', '?', '{2}', '*?'))
        .map(([part, times]) => `(?:${part})${times}`)
    )
  }))
  const anyText = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' '), maxLength: 8 })
  fc.assert(
    fc.property(anySource, anyText, fc.boolean(), (source, text, ignoreCase) => {
      return regexpPattern(source, { ignoreCase }).test(text) === new RegExp(source, ignoreCase ? 'i' : '').test(text)
    }),
    { numRuns: runs(1000) }
  )
  t.pass()
})

void t.test('a like text finds what its expression finds', async (t) => {
  const unit = fc.constantFrom('a', 'b', '%', '_', 'é')
  fc.assert(
    fc.property(
      fc.string({ unit, minLength: 1, maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'é', 'A'), maxLength: 12 }),
      (like, text) => {
        const { source } = likePattern(like)
        return likePattern(like).test(text) === new RegExp(source, 'u').test(text)
      }
    ),
    { numRuns: runs(2000) }
  )
  t.pass()
})

void t.test('what repeats too much is refused before it is compiled', async (t) => {
  const groups = [
    '(()){1000}'.repeat(99),
    `${'('.repeat(490)}${')'.repeat(490)}{1000}`,
    '(?:()|()|()){1000}'.repeat(40)
  ]
  for (const source of [
    ...groups,
    '(a{1000})'.repeat(99),
    '(?:(b{9,999}))'.repeat(66),
    `(?<c>${'d{1,1000}'.repeat(66)})`
  ]) {
    const began = performance.now()
    t.throws(() => regexpPattern(source), { code: 'LIMIT_EXCEEDED' }, source)
    t.ok(performance.now() - began < 500, source)
  }
})

void t.test('what repeats as much as may be is found', async (t) => {
  for (const source of [
    '(?:a|b|c|d|e){400}',
    '[0-9]{999}',
    'x{0,900}',
    '(?:ab){9}',
    String.raw`\d{4}-\d{2}`,
    'a{',
    '[{]{3}'
  ])
    t.doesNotThrow(() => regexpPattern(source), source)
})
