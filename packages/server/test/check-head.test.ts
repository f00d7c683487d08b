import t from 'tap'
import { checkHeader, checkStatus, isHeader } from '#src/requests/answers.ts'

t.test('a status ends an answer, or is refused', async (t) => {
  for (const status of [200, 599, '404']) t.equal(checkStatus(status), Number(status))
  for (const status of [199, 600, 200.5, 'x', undefined, null])
    t.throws(() => checkStatus(status), { code: 'ANSWER_INVALID', statusCode: 500 }, String(status))
})

t.test('a header has a name and values that HTTP has, or is refused', async (t) => {
  for (const [name, value] of [
    ['X-Head', 'a é'],
    ['x', ['1', '2']]
  ] as const) {
    checkHeader(name, value)
    t.ok(isHeader(name, value))
  }
  for (const [name, value] of [
    ['a b', 'x'],
    ['x', 'a\r\nb: c'],
    ['x', ['1', '漢']],
    ['x', undefined]
  ] as const) {
    t.throws(() => checkHeader(name, value), { code: 'ANSWER_INVALID', statusCode: 500 }, name)
    t.notOk(isHeader(name, value), name)
  }
})
