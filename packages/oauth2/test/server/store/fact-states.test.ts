import { makeMemoryStore } from '@modelwire/connector-tests'
import { until } from '@modelwire/test-waits'
import t from 'tap'
import { makeDeviceCodes } from '#src/server/store/device-codes.ts'
import { addClient, basic, makeApp, post } from '../../make-app.ts'

const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1000)

t.test('a shared state that keeps facts has those of OAuth, once each', async (t) => {
  const app = await makeApp(t, { sharedState: makeMemoryStore().store })
  const { states } = app.oauth2
  const add = (): Promise<boolean> => states.add('jti', 'one', { a: 1 }, inSeconds(60))
  t.strictSame((await Promise.all([add(), add(), add()])).filter(Boolean), [true])
  t.match(await states.read('jti', 'one'), { data: { a: 1 }, state: 'new', expiresAt: Date })
  const use = (): Promise<boolean> => states.change('jti', 'one', 'new', 'used', { a: 2 })
  t.strictSame((await Promise.all([use(), use(), use()])).filter(Boolean), [true])
  t.match(await states.read('jti', 'one'), { data: { a: 2 }, state: 'used' })
  t.equal(await states.change('jti', 'one', 'used', 'over'), true)
  t.match(await states.read('jti', 'one'), { data: { a: 2 }, state: 'over' })
  await states.remove('jti', 'one')
  t.equal(await states.read('jti', 'one'), undefined)
  t.equal(await states.change('jti', 'one', 'over', 'new'), false)
  await states.remove('jti', 'one')
  t.equal(await app.models.get('OAuthState').count(), 0)
})

t.test('a fact ends with its time, and can come again', async (t) => {
  const app = await makeApp(t, { sharedState: makeMemoryStore().store })
  const { states } = app.oauth2
  await states.add('jti', 'one', {}, inSeconds(0.02))
  await until(async () => (await states.read('jti', 'one')) === undefined, 'the fact to end')
  t.equal(await states.change('jti', 'one', 'new', 'used'), false)
  t.equal(await states.add('jti', 'one', {}, inSeconds(60)), true)
})

for (const kind of ['shared state', 'model'] as const)
  t.test(`what was allowed to a device ends with its reason, kept in a ${kind}`, async (t) => {
    const app = await makeApp(t, kind === 'model' ? {} : { sharedState: makeMemoryStore().store })
    const devices = makeDeviceCodes(app.oauth2.states)
    const approve = async (clientId: string, userId: string): Promise<() => Promise<boolean>> => {
      const { deviceCode, userCode } = await devices.start({ clientId, scopes: [], resources: [] })
      const row = await devices.findByUserCode(userCode)
      if (row !== undefined)
        await devices.change(row, 'new', 'allowed', { userId, marks: await devices.marks(row, userId) })
      return async () => (await devices.findByDeviceCode(deviceCode)) !== undefined
    }
    const shop = await approve('shop', 'u1')
    const tv = await approve('tv', 'u1')
    const other = await approve('shop', 'u2')
    const all = async (): Promise<boolean[]> => Promise.all([shop(), tv(), other()])
    t.strictSame(await all(), [true, true, true])
    await app.oauth2.revokeUser('u1', 'shop')
    t.strictSame(await all(), [false, true, true])
    await app.oauth2.revokeUser('u1')
    t.strictSame(await all(), [false, false, true])
    t.equal(await (await approve('shop', 'u1'))(), true, 'what is allowed afterwards stands')
    await app.oauth2.revokeUser('u1', 'shop')
    t.strictSame(await all(), [false, false, true])
  })

t.test('what may happen once is refused while the shared state is away', async (t) => {
  const { store, state } = makeMemoryStore()
  const app = await makeApp(t, { sharedState: store })
  const client = await addClient(app)
  const { deviceCode } = await makeDeviceCodes(app.oauth2.states).start({
    clientId: client.id,
    scopes: [],
    resources: []
  })
  state.fails = true
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: deviceCode }
  const answer = await post(app, '/oauth/token', form, basic(client))
  t.equal(answer.statusCode, 503)
  t.match(answer.json(), { error: 'temporarily_unavailable' })
  await t.rejects(app.oauth2.states.add('jti', 'one', {}, inSeconds(60)), { code: 'SHARED_STATE_UNAVAILABLE' })
})
