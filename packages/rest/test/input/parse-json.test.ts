import * as fc from 'fast-check'
import t from 'tap'
import { parseJson } from '../fixtures/with-defaults.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

t.test('JSON is read, a byte order mark dropped, an empty text undefined', async (t) => {
  t.same(parseJson('{"a":[1,{"b":null}]}'), { a: [1, { b: null }] })
  t.same(parseJson('\ufeff{"a":1}'), { a: 1 })
  t.equal(parseJson(''), undefined)
  t.equal(parseJson('\ufeff'), undefined)
  for (const text of ['5', '"x"', 'null', 'true']) t.equal(parseJson(text), JSON.parse(text))
})

t.test('strict JSON is an object or a list', async (t) => {
  for (const text of ['5', '"x"', 'null', 'true']) {
    t.throws(() => parseJson(text, { strict: true }), { code: 'BODY_INVALID', statusCode: 400, name: 'SyntaxError' })
  }
  t.same(parseJson(' []', { strict: true }), [])
})

t.test('what is no JSON is refused with the text and the type that LoopBack shows', async (t) => {
  for (const text of ['{', ' ', '{"a":1} x', "{'a':1}", '{a:1}', '{"a":1,}']) {
    const told = {
      code: 'BODY_INVALID',
      statusCode: 400,
      status: 400,
      expose: true,
      body: text,
      type: 'entity.parse.failed'
    }
    t.throws(() => parseJson(text), told, text)
  }
})

t.test('names of the object model are refused wherever they are and however they are written', async (t) => {
  const names = [...Object.getOwnPropertyNames(Object.prototype), 'prototype']
  const texts = names.flatMap((name) => [`{"${name}":1}`, `[{"a":{"${name}" : {}}}]`])
  for (const text of [...texts, '{"\\u005f_proto__":1}', '{"a":[{"const\\u0072uctor":1}]}']) {
    t.throws(() => parseJson(text), { code: 'PROPERTY_NAME_REFUSED', statusCode: 400 }, text)
  }
})

t.test('the same words are fine as values and in longer names', async (t) => {
  for (const text of [
    '{"a":"__proto__"}',
    '["constructor"]',
    '{"constructors":1}',
    '{"a":"\\"toString\\": x"}',
    '{"a":"\\u00e9"}'
  ]) {
    t.same(parseJson(text), JSON.parse(text), text)
  }
})

t.test('depth is bounded', async (t) => {
  t.doesNotThrow(() => parseJson(nested(32)))
  t.throws(() => parseJson(nested(33)), { code: 'LIMIT_EXCEEDED' })
  t.throws(() => parseJson(nested(50_000)), { code: 'LIMIT_EXCEEDED' })
  t.throws(() => parseJson('{"a":{"b":[{}]}}', { depth: 3 }), { code: 'LIMIT_EXCEEDED' })
  t.doesNotThrow(() => parseJson(`[${'{},'.repeat(200)}{}]`))
})

t.test('every JSON value comes back, or the refusal has a reason', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value)
      try {
        t.strictSame(parseJson(text), JSON.parse(text))
      } catch (error) {
        t.match(text, /proto|constructor|toString|valueOf|OwnProperty|Locale|Enumerable|Getter|Setter/, String(error))
      }
    })
  )
})

t.test('no text makes reading throw anything but a 400', async (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      try {
        parseJson(text)
      } catch (error) {
        t.equal((error as { statusCode?: number }).statusCode, 400)
      }
    })
  )
  t.pass()
})
