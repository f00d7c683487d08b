import type { Model } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { makeApp } from '../make-app.ts'

/** Calls a function of the model of applications. */
async function call({ models }: FastifyInstance, name: string, ...args: unknown[]): Promise<unknown> {
  const { modelClass } = models.typeOf('Application')
  const method: unknown = Reflect.get(modelClass, name)
  return typeof method === 'function' ? Reflect.apply(method, modelClass, args) : undefined
}

const keys = ['clientKey', 'javaScriptKey', 'restApiKey', 'windowsKey', 'masterKey']
const keysOf = (application: Model): unknown[] => keys.map((name) => application[name])
const users = { applications: true }

void t.test('an application that is registered has an id, five keys and the usual values', async (t) => {
  const app = await makeApp(t, { users })
  const made = (await call(app, 'register', 'ann', 'Shop', { url: 'https://shop.org', owner: 'bob' })) as Model
  t.match(made, { owner: 'ann', name: 'Shop', url: 'https://shop.org', status: 'sandbox', authenticationEnabled: true })
  t.match(made['id'], /^[0-9a-f]{32}$/)
  t.equal(new Set(keysOf(made)).size, 5)
  for (const key of keysOf(made)) t.match(key, /^[0-9a-f]{40}$/)
})

void t.test('an owner and a name are needed', async (t) => {
  const app = await makeApp(t, { users })
  await t.rejects(call(app, 'register', '', 'Shop'), { code: 'INVALID_ARGUMENT' })
  await t.rejects(call(app, 'register', 'ann'), { code: 'INVALID_ARGUMENT' })
})

void t.test('keys are new after a reset, and stay through other changes', async (t) => {
  const app = await makeApp(t, { users })
  const made = (await call(app, 'register', 'ann', 'Shop')) as Model
  const before = keysOf(made)
  made['name'] = 'Store'
  await made.save()
  t.strictSame(keysOf(made), before)
  const reset = (await call(app, 'resetKeys', made['id'])) as Model
  for (const [index, key] of keysOf(reset).entries()) t.not(key, before[index])
  await t.rejects(call(app, 'resetKeys', 'nobody'), { code: 'MODEL_NOT_FOUND' })
})

void t.test('an application is known by its id and any of its keys', async (t) => {
  const app = await makeApp(t, { users })
  const made = (await call(app, 'register', 'ann', 'Shop')) as Model
  for (const keyType of keys)
    t.match(await call(app, 'authenticate', made['id'], made[keyType]), { keyType, application: { name: 'Shop' } })
  for (const wrong of ['', 'x', undefined, null, { neq: '' }, [made['clientKey']]])
    t.equal(await call(app, 'authenticate', made['id'], wrong), null)
  t.equal(await call(app, 'authenticate', 'nobody', made['clientKey']), null)
  await app.models.get('Application').updateAll({}, { clientKey: null })
  t.equal(await call(app, 'authenticate', made['id'], null), null)
})

void t.test('a model Application of the application itself stays as it is', async (t) => {
  const app = await makeApp(t, { models: [{ name: 'Application', public: true, properties: { title: 'string' } }] })
  const made = await app.models.get('Application').create({ title: 'x' })
  t.strictSame(Object.keys(made.toJSON()).toSorted(), ['id', 'title'])
})
