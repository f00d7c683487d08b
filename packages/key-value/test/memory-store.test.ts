import * as fc from 'fast-check'
import t from 'tap'
import { compileGlob } from '#src/glob.ts'
import { MemoryStore } from '#src/memory-store.ts'

t.test('a value is gone when its time is over', async (t) => {
  let now = 1000
  const store = new MemoryStore(() => now)
  await store.set('M', 'a', 1, 10)
  await store.set('M', 'b', 2, undefined)
  now += 9
  t.equal(await store.get('M', 'a'), 1)
  t.equal(await store.ttl('M', 'a'), 1)
  now += 1
  t.equal(await store.ttl('M', 'a'), null)
  t.equal(await store.get('M', 'a'), null)
  t.notOk(await store.expire('M', 'a', 5))
  t.ok(await store.expire('M', 'b', 5))
  now += 5
  store.sweep()
  const keys: string[] = []
  for await (const key of store.keys('M', undefined)) keys.push(key)
  t.strictSame(keys, [])
})

const patterns: readonly (readonly [pattern: string, yes: readonly string[], no: readonly string[]])[] = [
  ['*', ['', 'a', 'a/b', 'a\nb'], []],
  ['a?c', ['abc', 'a.c'], ['ac', 'abbc']],
  ['[ab]', ['a', 'b'], ['c', 'ab', '']],
  ['[^ab]', ['c', '^'], ['a', '']],
  ['[a-c]x', ['bx'], ['dx']],
  [String.raw`\*`, ['*'], ['a']],
  [String.raw`[\]]`, [']'], ['\\']],
  ['a.b+(c)', ['a.b+(c)'], ['axbc']],
  ['[', [], ['[', 'a']],
  ['[ab', ['a', 'b'], ['[ab', 'c']],
  ['[^', ['a', '^'], ['', 'ab']],
  ['[^]', ['a'], ['']],
  ['[c-a]', ['b'], ['d']],
  ['[a-]', [']', '^', 'a'], ['-', 'b']],
  ['[a-]b]', ['`', 'b'], ['ab]', 'c']],
  ['[!a]', ['!', 'a'], ['b']],
  ['!a', ['!a'], ['b']],
  ['[]a]', [], ['a', 'a]']],
  [String.raw`[\]`, [']'], ['\\']],
  ['{a,b}', ['{a,b}'], ['a']],
  ['\\', ['\\'], ['']],
  ['[]', [], ['a', '[]']],
  ['ü*€', ['ü€', 'üx€'], ['u€']]
]

t.test('patterns are those of Redis', async (t) => {
  for (const [pattern, yes, no] of patterns) {
    const test = compileGlob(pattern)
    for (const key of yes) t.ok(test(key), `${pattern} matches ${key}`)
    for (const key of no) t.notOk(test(key), `${pattern} does not match ${key}`)
  }
})

t.test('a key matches itself where every character is meant as it is', async () => {
  const quoted = (key: string): string => key.replaceAll(/[*?[\]\\^]/g, String.raw`\$&`)
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (key) => compileGlob(quoted(key))(key)))
})
