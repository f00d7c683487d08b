import t from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const filters: readonly [options: object, shown: object | undefined][] = [
  [{}, { id: 1, title: 'a', label: 'b' }],
  [{ fields: ['label', 'secret'] }, { label: 'b' }],
  [{ where: { label: 'b' }, fields: ['title'] }, { title: 'a' }],
  [{ where: { label: 'c' } }, undefined]
]

for (const [options, shown] of filters)
  void t.test(`a stream with ${JSON.stringify(options)} shows what was asked for, and is read`, async (t) => {
    const acls = [deny, rule('$everyone', 'ALLOW', { accessType: 'READ', fields: { read: { except: ['secret'] } } })]
    const properties = { title: 'string', label: 'string', secret: 'string' } as const
    const app = await makeApp(t, [{ name: 'Thing', plural: 'things', properties, acls }])
    const answering = app.inject(`/api/things/change-stream?options=${encodeURIComponent(JSON.stringify(options))}`)
    await turn()
    await app.models.get('Thing').create({ title: 'a', label: 'b', secret: 'c' })
    await turn()
    await app.close()
    const events = (await answering).payload.split('\n').filter((line) => line.startsWith('data: {'))
    const told = events.map((line) => (JSON.parse(line.slice('data: '.length)) as { data: object }).data)
    t.strictSame(told, shown === undefined ? [] : [shown])
  })

void t.test('a stream is not filtered by what is not read', async (t) => {
  const acls = [deny, rule('$everyone', 'ALLOW', { accessType: 'READ', fields: { read: { except: ['secret'] } } })]
  const app = await makeApp(t, [{ name: 'Thing', plural: 'things', properties: { secret: 'string' }, acls }])
  const { statusCode } = await app.inject('/api/things/change-stream?options={"where":{"secret":"c"}}')
  t.equal(statusCode, 401)
})
