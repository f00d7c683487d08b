import t from 'tap'
import { bootApp, usualFiles } from '../../make-app.ts'

const thing = {
  name: 'Thing',
  base: 'PersistedModel',
  properties: { label: 'string' },
  options: { changeLog: true }
}
const config = usualFiles['server/config.json'] as object // the usual configuration

t.test('a model of a folder may log its changes; without a log they are heard of in the process', async (t) => {
  const app = await bootApp(t, { 'common/models/thing.json': thing })
  t.equal(app.models.typeOf('Thing').logsChanges, true)
  t.ok(app.hasPlugin('@modelwire/changes'))
  const heard: unknown[] = []
  app.models.changes.subscribe('Thing', ({ kind, removed }) => heard.push([kind, removed?.length]))
  const { id } = (await app.inject({ method: 'POST', url: '/api/Things', payload: { label: 'a' } })).json<{
    id: number
  }>()
  await app.inject({ method: 'DELETE', url: `/api/Things/${id}` })
  t.strictSame(heard, [
    ['create', undefined],
    ['remove', 1]
  ])
})

t.test('config.json says how the log is read; a wrong value ends the start', async (t) => {
  const app = await bootApp(t, { 'server/config.json': { ...config, changes: { pollInterval: 1 } } })
  t.ok(app.hasPlugin('@modelwire/changes'))
  await t.rejects(bootApp(t, { 'server/config.json': { ...config, changes: { pollInterval: 'often' } } }), {
    code: 'CONFIG_VALUE_INVALID',
    where: { key: 'changes.pollInterval' }
  })
  await t.rejects(bootApp(t, { 'server/config.json': { ...config, changes: { transport: { type: 'smoke' } } } }), {
    code: 'OPTION_INVALID',
    message: /redis.*nats/
  })
  const plain = await bootApp(t)
  t.notOk(plain.hasPlugin('@modelwire/changes'))
})
