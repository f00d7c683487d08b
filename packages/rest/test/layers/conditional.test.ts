import * as fc from 'fast-check'
import t from 'tap'
import { hasAlready, nameVersion, readEntityTags, textTag, versionTag } from '#src/layers/conditional.ts'

void t.test('lists of entity tags are read, others refused', async (t) => {
  t.equal(readEntityTags('If-Match', undefined), undefined)
  t.strictSame(readEntityTags('If-Match', ' * '), { any: true, strong: [], all: [] })
  t.strictSame(readEntityTags('If-Match', '"a", W/"b" ,, "c,d"'), {
    any: false,
    strong: ['a', 'c,d'],
    all: ['a', 'b', 'c,d']
  })
  for (const wrong of ['', 'a', '"a', '"a" "b"', '*, "a"', '"a b"', 'w/"a"', ',', '"a",b'])
    t.throws(() => readEntityTags('If-Match', wrong), { code: 'INVALID_ARGUMENT' }, JSON.stringify(wrong))
})

void t.test('any header is read or refused, in time that grows with its length', async (t) => {
  const part = fc.constantFrom('"', 'W/', ',', ' ', '*', 'a', '\t', '""', 'é')
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 200 }), async (parts) => {
      try {
        readEntityTags('If-Match', parts.join(''))
      } catch (error) {
        t.match(error, { code: 'INVALID_ARGUMENT' })
      }
    })
  )
  t.throws(() => readEntityTags('If-Match', `${', '.repeat(8000)}x`), { code: 'INVALID_ARGUMENT' })
})

void t.test('a version is found by the tag of each of its representations', async (t) => {
  for (const kind of ['json', 'xml', 'jsonp']) {
    const tag = versionTag('0b5c', kind)
    const tags = readEntityTags('If-Match', tag)?.all ?? []
    t.ok(nameVersion(tags, '0b5c'))
    t.notOk(nameVersion(tags, '0b5'))
  }
  t.not(versionTag('a', 'json'), versionTag('a', 'xml'))
})

void t.test('texts have weak tags, which are compared weakly', async (t) => {
  t.match(textTag('[]'), /^W\/"[\w-]{27}"$/)
  t.not(textTag('[]'), textTag('[1]'))
  for (const [header, tag, expected] of [
    ['W/"a"', 'W/"a"', true],
    ['"a"', 'W/"a"', true],
    ['W/"a"', '"a"', true],
    ['*', '"a"', true],
    ['"b"', '"a"', false]
  ] as const) {
    const tags = readEntityTags('If-None-Match', header)
    t.equal(tags && hasAlready(tags, tag), expected, `${header} ${tag}`)
  }
})
