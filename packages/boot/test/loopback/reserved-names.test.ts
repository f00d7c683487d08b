import t from 'tap'
import { bootApp } from '../make-app.ts'
import { filesOf } from './answers.ts'

const names = ['__cachedRelations', '__data']
const values = [1, null, { label: 'other', id: 7 }, []]
const requests = [
  ['POST', ''],
  ['PUT', ''],
  ['PATCH', ''],
  ['PUT', '/1'],
  ['PATCH', '/1'],
  ['POST', '/1/replace'],
  ['POST', '/upsertWithWhere?where={"id":1}'],
  ['POST', '/update?where={"id":1}'],
  ['POST', '/replaceOrCreate']
] as const

for (const strict of [false, true])
  t.test(`clients may send names that records keep for scripts (strict: ${strict})`, async (t) => {
    const file = { strict, forceId: false, properties: { id: { type: 'number', id: true }, label: 'string' } }
    const server = await bootApp(t, filesOf({ Thing: { file } }))
    await server.inject({ method: 'POST', url: '/api/Things', payload: { id: 1, label: 'a' } })
    const cases = names.flatMap((name) =>
      values.flatMap((value) => requests.map(([method, path]) => ({ method, path, name, value })))
    )
    for (const { method, path, name, value } of cases) {
      const payload = { id: 1, label: 'a', [name]: value }
      const { statusCode, body } = await server.inject({ method, url: `/api/Things${path}`, payload })
      t.ok(statusCode < 500, `${method} ${path} ${name} ${JSON.stringify(value)}: ${body}`)
    }
    t.strictSame((await server.inject('/api/Things/1')).json(), { id: 1, label: 'a' })
    t.notOk((await server.inject('/api/Things/7')).statusCode === 200, 'none of them writes other properties')
  })
