import t from 'tap'
import { bootApp, type Files, notesOf } from '../../make-app.ts'

const place = 'server/config.json: remoting.sharedMethods.updateAll: '
const thing = { name: 'Thing', properties: { label: { type: 'string', required: true } } }

const config = (sharedMethods: object | undefined): Files => ({
  'common/models/thing.json': thing,
  'server/config.json': { restApiRoot: '/api', remoting: { sharedMethods } }
})

const settings: readonly (readonly [shared: object | undefined, isTold: boolean, status: number])[] = [
  [undefined, true, 200],
  [{ '*': true }, true, 200],
  [{ updateAll: true }, false, 200],
  [{ updateAll: false }, false, 404],
  [{ '*': false }, false, 404]
]

for (const [shared, isTold, status] of settings) {
  void t.test(`updates of many records with ${JSON.stringify(shared)} are answered ${status}`, async (t) => {
    const server = await bootApp(t, config(shared))
    t.equal(notesOf(server).filter((note) => note.startsWith(place)).length, isTold ? 1 : 0)
    await server.models.get('Thing').create({ label: 'x' })
    const answer = await server.inject({ method: 'POST', url: '/api/Things/update', payload: { label: null } })
    t.equal(answer.statusCode, status)
    // LoopBack stores what its rules refuse elsewhere.
    t.equal((await server.models.get('Thing').findById(1))?.['label'], status === 200 ? null : 'x')
  })
}

void t.test('models that nobody reaches are not told of', async (t) => {
  const models = { _meta: { sources: ['../common/models'] }, Thing: { dataSource: 'db', public: false } }
  t.strictSame(notesOf(await bootApp(t, { ...config(undefined), 'server/model-config.json': models })), [])
  const options = { remoting: { sharedMethods: { updateAll: false } } }
  const own = { _meta: { sources: ['../common/models'] }, Thing: { dataSource: 'db', public: true, options } }
  t.strictSame(notesOf(await bootApp(t, { ...config(undefined), 'server/model-config.json': own })), [])
})
