import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import type { WebhooksOptions } from '#src/index.ts'
import { type App, makeApp, statesOf } from '../make-app.ts'
import { type Message, type Receiver, type Reply, startReceiver } from '../receiver.ts'

const isOf = ({ data }: Message, id: number): boolean => data['id'] === id

/** An application whose endpoint answers each message as `reply` says, and what arrived there. */
async function makeOrdered(
  t: Test,
  reply: (message: Message) => Reply,
  { ordered = true, ...options }: WebhooksOptions & { readonly ordered?: boolean } = {}
): Promise<App & { readonly receiver: Receiver }> {
  const receiver = await startReceiver(t, ({ body }) => reply(JSON.parse(body) as Message)) // written by this package
  const one = await makeApp(t, options)
  await one.app.webhooks.createEndpoint({ url: receiver.url, ordered })
  return { ...one, receiver }
}

const textsOf = ({ messages }: Receiver, id: number): unknown[] =>
  messages().flatMap((message) => (isOf(message, id) ? [message.data['text']] : []))

/** Makes two notes, the first of which changes. */
async function write({ app }: App): Promise<void> {
  const Note = app.models.get('Note')
  await Note.create({ id: 1, text: 'first' })
  for (const text of ['second', 'third']) await Note.upsert({ id: 1, text })
  await Note.create({ id: 2, text: 'other' })
}

t.test('a message waits for the one before about the same record, and for no other', async (t) => {
  let isWell = false
  const retries = Array.from({ length: 500 }, () => 0.02)
  const one = await makeOrdered(t, (message) => (isOf(message, 2) || isWell ? 200 : 500), { retries })
  const { receiver } = one
  await write(one)
  await until(() => textsOf(receiver, 2).length === 1, 'the message about another record')
  await until(() => textsOf(receiver, 1).length > 3, 'the first message to be sent again')
  t.strictSame([...new Set(textsOf(receiver, 1))], ['first'])
  isWell = true
  await until(async () => (await statesOf(one)).every((state) => state === 'delivered'), 'all to be delivered')
  t.strictSame([...new Set(textsOf(receiver, 1))], ['first', 'second', 'third'])
  t.strictSame(textsOf(receiver, 1).slice(-2), ['second', 'third'], 'each of them once')
})

t.test('without an order a message that fails does not hold up the next one', async (t) => {
  const settings = { ordered: false, retries: [3600] }
  const one = await makeOrdered(t, ({ data }) => (data['text'] === 'first' ? 500 : 200), settings)
  await write(one)
  await until(() => textsOf(one.receiver, 1).length === 3, 'all messages')
  await until(
    async () => (await statesOf(one)).join(' ') === 'pending delivered delivered delivered',
    'all but the first to be delivered'
  )
})

t.test('a message goes once the one before is dead, also where its endpoint is removed', async (t) => {
  const one = await makeOrdered(t, ({ data }) => (data['text'] === 'first' ? 500 : 200), { retries: [0.02] })
  await write(one)
  await until(() => textsOf(one.receiver, 1).length === 4, 'all messages')
  t.strictSame(textsOf(one.receiver, 1), ['first', 'first', 'second', 'third'])
  const held = await makeOrdered(t, () => 500, { retries: Array.from({ length: 500 }, () => 0.02) })
  await write(held)
  await until(async () => (await statesOf(held)).length === 4, 'the deliveries')
  await held.app.models.get('WebhookEndpoint').destroyAll()
  await until(async () => (await statesOf(held)).every((state) => state === 'dead'), 'all to be dead')
})

t.test('many messages that wait do not hold up other records', async (t) => {
  const settings = { concurrency: 1, concurrencyPerEndpoint: 1, retries: [3600] }
  const one = await makeOrdered(t, (message) => (isOf(message, 1) ? 500 : 200), settings)
  const Note = one.app.models.get('Note')
  await Note.create({ id: 1, text: 'first' })
  for (let at = 0; at < 50; at++) await Note.upsert({ id: 1, text: `text ${at}` })
  await Note.create({ id: 2, text: 'other' })
  await until(() => textsOf(one.receiver, 2).length === 1, 'the message about another record')
  t.strictSame(textsOf(one.receiver, 1), ['first'])
})

t.test('what is sent again by hand goes before what still waits', async (t) => {
  const failures = new Map([
    ['first', ['0', '0', '2']],
    ['second', ['1']]
  ])
  const reply = ({ data }: Message): Reply => {
    const retryAfter = failures.get(String(data['text']))?.shift()
    return (_request, response) =>
      retryAfter === undefined
        ? response.writeHead(204).end()
        : response.writeHead(503, { 'retry-after': retryAfter }).end()
  }
  const one = await makeOrdered(t, reply, { retries: [0.02] })
  const deliveries = one.app.models.get('WebhookDelivery')
  await write(one)
  await until(async () => deliveries.findOne({ where: { sequence: 1, status: 503 } }), 'the second one to fail')
  const dead = await deliveries.findOne({ where: { state: 'dead' } })
  await one.app.webhooks.retry(dead?.getId())
  await until(() => textsOf(one.receiver, 1).includes('third'), 'all messages')
  t.strictSame(textsOf(one.receiver, 1), ['first', 'first', 'second', 'first', 'first', 'second', 'third'])
})
