import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { type App, makeApp, noteModel, rule } from '../make-app.ts'
import { type Receiver, startReceiver } from '../receiver.ts'

type Note = Readonly<Record<string, unknown>>

/** What happens in one world: notes are made, changed and removed, of user 1 and of others. */
interface World {
  readonly others: readonly Note[]
  /** What user 1 may not read of the own notes. */
  readonly unread: (at: number) => Note
}

const alone: World = { others: [], unread: () => ({}) }
const among: World = {
  others: [{ text: 'of two', userId: 2 }, { text: 'of none' }, { text: 'own text 1', userId: 2, price: 1 }],
  unread: (at) => ({ secret: `secret ${at}`, price: at * 10 })
}

/** Makes, changes and removes the notes of a world, those of others in between. */
async function live({ app }: App, { others, unread }: World): Promise<void> {
  const notes = app.models.get('Note')
  let other = 1000
  const liveOthers = async (): Promise<void> => {
    for (const note of others) {
      const made = await notes.create({ id: ++other, ...note })
      await made.patchAttributes({ text: 'changed' })
      await made.destroy()
    }
  }
  for (const at of [1, 2, 3]) {
    await liveOthers()
    const own = await notes.create({ id: at, text: `own text ${at}`, userId: 1, ...unread(at) })
    await liveOthers()
    await own.patchAttributes({ text: `changed ${at}`, ...unread(at + 1) })
    await liveOthers()
    await own.destroy()
  }
}

/** What arrives, less what is another one in each run: the ids and times of messages. */
const shown = ({ messages, arrived }: Receiver): unknown =>
  messages().map(({ timestamp: _timestamp, ...message }, at) => ({
    ...message,
    length: arrived[at]?.body.length,
    names: Object.keys(arrived[at]?.headers ?? {})
  }))

async function watch(t: Test, world: World, endpoint: Note): Promise<unknown> {
  const receiver = await startReceiver(t)
  const one = await makeApp(t, { concurrencyPerEndpoint: 1 })
  await one.app.webhooks.createEndpoint({ ...endpoint, url: receiver.url, userId: 1 })
  await live(one, world)
  await one.app.models.get('Note').create({ id: 9999, text: 'end', userId: 1 })
  await until(() => receiver.messages().some(({ data }) => data['id'] === 9999), 'the last message')
  await one.app.close()
  return shown(receiver)
}

const endpoints: readonly Note[] = [
  {},
  { kinds: ['updated', 'deleted', 'created'] },
  { condition: { text: { like: '%' } } },
  // Conditions on what the user may not read find nothing out.
  { condition: { or: [{ price: { gt: 10 } }, { text: { like: '%' } }] } }
]

for (const endpoint of endpoints)
  t.test(`what a user may not read changes nothing of what arrives: ${JSON.stringify(endpoint)}`, async (t) => {
    const [without, between] = [await watch(t, alone, endpoint), await watch(t, among, endpoint)]
    t.strictSame(between, without)
    t.match(without, [{ type: 'note.created', data: { id: 1, text: 'own text 1', userId: 1 } }])
    t.equal((without as unknown[]).length, 10)
  })

t.test('a condition on what the user may not read matches as if it were absent', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t)
  const cursors = app.models.get('WebhookCursor')
  await app.webhooks.createEndpoint({ url: receiver.url, userId: 1, condition: { price: 5 } })
  await app.models.get('Note').create({ id: 1, userId: 1, price: 5 })
  await until(async () => (await cursors.findById('db'))?.['position'] === '1', 'the log to be read')
  t.equal(await app.models.get('WebhookDelivery').count(), 0)
})

t.test('an endpoint of the application receives whatever is not hidden', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t, { concurrencyPerEndpoint: 1 })
  await app.webhooks.createEndpoint({ url: receiver.url })
  await app.models.get('Note').create([{ id: 1, userId: 2, price: 3, secret: 'x' }, { id: 2 }])
  await until(() => receiver.arrived.length === 2, 'two messages')
  t.strictSame(
    receiver.messages().map(({ data }) => data),
    [{ id: 1, userId: 2, price: 3 }, { id: 2 }]
  )
})

t.test('what a user may read is decided when the delivery is made', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await makeApp(t, { concurrencyPerEndpoint: 1 })
  let isAdmin = true
  app.access.registerRole('admin', ({ principal }) => isAdmin && principal?.userId === 2)
  const cursors = app.models.get('WebhookCursor')
  await app.webhooks.createEndpoint({ url: receiver.url, userId: 2 })
  await app.models.get('Note').create({ id: 1, userId: 1 })
  await until(() => receiver.arrived.length === 1, 'a message')
  isAdmin = false
  await app.models.get('Note').create({ id: 2, userId: 1 })
  await until(async () => (await cursors.findById('db'))?.['position'] === '2', 'the log to be read')
  await app.models.get('User').destroyById(2)
  await app.models.get('Note').create({ id: 3, userId: 2 })
  await until(async () => (await cursors.findById('db'))?.['position'] === '3', 'the log to be read')
  t.equal(await app.models.get('WebhookDelivery').count(), 1, 'nothing for a user who is gone')
})

t.test('of a model that a user may not read nothing arrives', async (t) => {
  const receiver = await startReceiver(t)
  const closed = { ...noteModel, acls: [rule('$everyone', 'DENY')] }
  const { app } = await makeApp(t, {}, { models: [closed] })
  const cursors = app.models.get('WebhookCursor')
  await app.webhooks.createEndpoint({ url: receiver.url, userId: 1 })
  await app.models.get('Note').create({ id: 1, userId: 1 })
  await until(async () => (await cursors.findById('db'))?.['position'] === '1', 'the log to be read')
  t.equal(await app.models.get('WebhookDelivery').count(), 0)
})

t.test('with several user models the one of the user who created an endpoint counts', async (t) => {
  const receiver = await startReceiver(t)
  const staff = { name: 'Staff', properties: { id: { type: 'number', id: true, generated: false } } } as const
  const { app } = await makeApp(t, { concurrencyPerEndpoint: 1 }, { models: [noteModel, staff], logged: ['Note'] })
  app.access.registerRole('admin', ({ principal }) => principal?.userModel === 'Staff')
  await app.models.get('Staff').create({ id: 1 })
  const headers = { user: '1', model: 'Staff' }
  const made = await app.inject({
    method: 'POST',
    url: '/api/WebhookEndpoints',
    headers,
    payload: { url: receiver.url }
  })
  t.match(made.json(), { userId: 1, userModel: 'Staff' })
  await app.models.get('Note').create({ id: 1, userId: 2, price: 3 })
  await until(() => receiver.arrived.length === 1, 'what the staff may read')
  t.match(receiver.messages(), [{ data: { id: 1, price: 3 } }])
  await app.models.get('Staff').destroyAll()
  await app.models.get('Note').create({ id: 2, userId: 1 })
  const cursors = app.models.get('WebhookCursor')
  await until(async () => (await cursors.findById('db'))?.['position'] === '2', 'the log to be read')
  t.equal(await app.models.get('WebhookDelivery').count(), 1)
})
