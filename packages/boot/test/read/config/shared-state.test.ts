import t from 'tap'
import { bootApp, usualFiles } from '../../make-app.ts'

const withState = (sharedState: unknown, more: object = {}) => ({
  'server/config.json': { ...Object(usualFiles['server/config.json']), sharedState, ...more }
})

t.test('a data source of the application keeps the shared state', async (t) => {
  const app = await bootApp(t, withState('${STATE_OF}', { STATE_OF: 'db', purgeInterval: 60 }))
  t.equal(app.models.shared.isShared, true)
  t.equal((await app.models.shared.cells.count('a', 60_000)).count, 1)
  t.equal(await app.models.get('SharedState').count(), 1)
  t.equal((await app.inject('/api/SharedStates')).statusCode, 404)
})

t.test('without the setting nothing is shared', async (t) => {
  const app = await bootApp(t, {})
  t.equal(app.models.shared.isShared, false)
})

t.test('an object has the settings of Redis, whose package has to be installed', async (t) => {
  const place = { file: 'server/config.json', key: 'sharedState' }
  await t.rejects(bootApp(t, withState({ url: 'redis://127.0.0.1:1' })), {
    code: 'CONFIG_VALUE_INVALID',
    message: /npm install @modelwire\/redis/,
    where: place
  })
})

t.test('a setting of another form is refused', async (t) => {
  const refused = { code: 'CONFIG_VALUE_INVALID' }
  await t.rejects(bootApp(t, withState(7)), { ...refused, where: { key: 'sharedState' } })
  await t.rejects(bootApp(t, withState('${STATE_OF}', { STATE_OF: 7 })), { ...refused, where: { key: 'sharedState' } })
  await t.rejects(bootApp(t, { 'server/config.json': { purgeInterval: -1 } }), {
    ...refused,
    where: { key: 'purgeInterval' }
  })
  await t.rejects(bootApp(t, withState('none')), { code: 'DATA_SOURCE_UNKNOWN' })
})
