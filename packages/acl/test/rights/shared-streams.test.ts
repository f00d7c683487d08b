import type { ModelDefinition, RowsFunction } from '@modelwire/core'
import { takeTime, until } from '@modelwire/test-waits'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

// Readers with equal rights and requests share what is found out of an event. Here several follow at once whose requests are equal, and
// whose rights differ in ways that are easily overlooked.

/** What one reader was sent. */
interface Reader {
  readonly text: () => string
  /** The labels in its events. */
  readonly labels: () => unknown[]
}

async function follow(app: FastifyInstance, user: number, options: object = {}, plural = 'things'): Promise<Reader> {
  const url = `/api/${plural}/change-stream?options=${encodeURIComponent(JSON.stringify(options))}`
  const answer = await app.inject({ url, headers: { user: String(user) }, payloadAsStream: true })
  let text = ''
  answer.stream().on('data', (part: Buffer) => (text += part.toString()))
  const events = (): { data?: { label?: unknown } }[] =>
    Array.from(text.matchAll(/^data: (\{.*"type".*)$/gm), ([, data = '']) => JSON.parse(data) as object) // an event
  return { text: () => text, labels: () => events().map(({ data }) => data?.label) }
}

const thing = (acls: readonly object[], more: Partial<ModelDefinition> = {}): ModelDefinition => ({
  name: 'Thing',
  plural: 'things',
  properties: { userId: 'number', label: 'string', day: 'date', secret: 'string', inner: 'string' },
  hidden: ['inner'],
  acls: [deny, ...acls] as NonNullable<ModelDefinition['acls']>,
  ...more
})

const dayOf = (user: unknown): Date => new Date(Date.UTC(2020, 0, Number(user)))

/** A record of each of two users, and what follows it. */
async function createOfBoth(app: FastifyInstance): Promise<void> {
  const Thing = app.models.get('Thing')
  for (const user of [1, 2])
    await Thing.create({ userId: user, label: `of ${user}`, day: dayOf(user), secret: `s${user}`, inner: 'i' })
}

const rowsOfUsers: Readonly<Record<string, '$owner' | RowsFunction>> = {
  'their owner': '$owner',
  'a value': ({ userId }) => ({ userId: Number(userId) }),
  'a regular expression': ({ userId }) => ({ label: { regexp: new RegExp(`${String(userId)}$`) } }),
  'a date': ({ userId }) => ({ day: dayOf(userId) }),
  'a list': ({ userId }) => ({ label: { inq: [`of ${String(userId)}`] } }),
  'a part of a condition': ({ userId }) => ({ or: [{ label: 'of nobody' }, { and: [{ userId: Number(userId) }] }] }),
  'all or nothing': ({ userId }) => (Number(userId) === 1 ? { label: 'of 1' } : { or: [{ label: 'of 2' }] })
}

for (const [name, rows] of Object.entries(rowsOfUsers))
  for (const options of [{}, { where: { label: { like: 'of%' } } }, { fields: ['label'] }])
    void t.test(`rows that users differ in by ${name} are told apart: ${JSON.stringify(options)}`, async (t) => {
      const app = await makeApp(t, [thing([rule('$authenticated', 'ALLOW', { rows })])])
      const users = [1, 2, 1, 2]
      const readers = await Promise.all(users.map((user) => follow(app, user, options)))
      await createOfBoth(app)
      await createOfBoth(app)
      await until(() => readers.every(({ labels }) => labels().length > 1), 'the events of all')
      for (const [at, { labels, text }] of readers.entries()) {
        const label = `of ${users[at] ?? ''}`
        t.strictSame(labels(), [label, label])
        t.notMatch(text(), '"inner"')
      }
    })

const userRule = (id: number, more: object): object => ({
  principalType: 'USER',
  principalId: String(id),
  permission: 'ALLOW',
  ...more
})

void t.test('each reader gets the properties of its own rule', async (t) => {
  const rules = [
    userRule(1, { fields: { read: ['label'] } }),
    userRule(2, { fields: { read: ['label', 'secret'] } }),
    userRule(3, {})
  ]
  const app = await makeApp(t, [thing(rules)])
  for (const options of [{}, { fields: ['label', 'secret', 'inner'] }]) {
    const readers = await Promise.all([1, 2, 3, 1].map((user) => follow(app, user, options)))
    await createOfBoth(app)
    await until(() => readers.every(({ labels }) => labels().length > 1), 'the events of all')
    t.strictSame(
      readers.map(({ text }) => [text().includes('"secret"'), text().includes('"day"')]),
      [false, true, true, false].map((secret, at) => [secret, at === 2 && !('fields' in options)])
    )
  }
})

void t.test('a model that extends the followed one is only told of to those whom its own rules let', async (t) => {
  const novel = thing([userRule(2, { permission: 'DENY' })], { name: 'Special', plural: 'specials', base: 'Thing' })
  const app = await makeApp(t, [thing([rule('$authenticated', 'ALLOW')]), novel])
  const readers = await Promise.all([1, 2, 1].map((user) => follow(app, user)))
  await app.models.get('Special').create({ label: 'special' })
  await app.models.get('Thing').create({ label: 'plain' })
  await until(() => readers.every(({ labels }) => labels().includes('plain')), 'the events of all')
  t.strictSame(
    readers.map(({ labels }) => labels()),
    [['special', 'plain'], ['plain'], ['special', 'plain']]
  )
})

for (const [name, whereOf] of Object.entries({
  'a value': (user: unknown) => ({ label: `of ${String(user)}` }),
  'a regular expression': (user: unknown) => ({ label: new RegExp(`${String(user)}$`) })
}))
  void t.test(`options that a guard writes for the caller are its own, by ${name}`, async (t) => {
    const prepare = (app: FastifyInstance): void =>
      app.models.addGuardSource(() => (context) => {
        context.args = { ...context.args, options: { where: whereOf(context.principal?.userId) } }
      })
    const app = await makeApp(t, [thing([rule('$authenticated', 'ALLOW')])], {}, { prepare })
    const readers = await Promise.all([1, 2].map((user) => follow(app, user)))
    await createOfBoth(app)
    await until(() => readers.every(({ labels }) => labels().length > 0), 'the events of both')
    t.strictSame(
      readers.map(({ labels }) => labels()),
      [['of 1'], ['of 2']]
    )
  })

for (const [name, whereOf] of Object.entries({
  'a value': (label: string) => ({ label }),
  'a regular expression': (label: string) => ({ label: new RegExp(`^${label}$`) })
}))
  void t.test(`a stream ends when a guard writes other options for its caller, by ${name}`, async (t) => {
    let label = 'of 1'
    const prepare = (app: FastifyInstance): void =>
      app.models.addGuardSource(() => (context) => {
        context.args = { ...context.args, options: { where: whereOf(label) } }
      })
    const more = { prepare, streams: { recheck: 0.02 } }
    const app = await makeApp(t, [thing([rule('$authenticated', 'ALLOW')])], {}, more)
    await app.ready()
    const reader = await follow(app, 1)
    label = 'of 2'
    await until(() => reader.text().includes('STREAM_RIGHTS_CHANGED'), 'the end of the stream')
  })

void t.test('a stream that code opened for its caller goes on', async (t) => {
  const feed = { http: { verb: 'get', path: '/feed' }, returns: { arg: 'changes', type: 'ReadableStream', json: true } }
  const prepare = (app: FastifyInstance): void => {
    const Thing = app.models.get('Thing')
    Object.assign(Thing, { feed: async () => Thing.createChangeStream({ where: { label: { neq: 'x' } } }) })
  }
  const definition = thing([rule('$authenticated', 'ALLOW')], { methods: { feed } })
  const app = await makeApp(t, [definition], {}, { prepare, streams: { recheck: 0.02 } })
  await app.ready()
  const answer = await app.inject({ url: '/api/things/feed', headers: { user: '1' }, payloadAsStream: true })
  let text = ''
  answer.stream().on('data', (part: Buffer) => (text += part.toString()))
  await takeTime(100, 'it is checked several times')
  await app.models.get('Thing').create({ label: 'later' })
  await until(() => text.includes('later'), 'the event')
  t.notMatch(text, 'STREAM_RIGHTS_CHANGED')
})

/** Two readers with equal rights, of which the first loses them. */
async function loseRights(t: Test, whereOf: (label: string) => object): Promise<void> {
  const labelsOf = new Map([
    ['1', 'of 1'],
    ['2', 'of 1']
  ])
  const rows: RowsFunction = ({ userId }) => ({ label: whereOf(labelsOf.get(String(userId)) ?? '') })
  const acls = [rule('$authenticated', 'ALLOW', { rows })]
  const app = await makeApp(t, [thing(acls)], {}, { streams: { recheck: 0.02 } })
  await app.ready()
  const [loser, other] = [await follow(app, 1), await follow(app, 2)]
  labelsOf.set('1', 'of 2')
  await until(() => loser.text().includes('STREAM_RIGHTS_CHANGED'), 'the end of a stream')
  const changed = await follow(app, 1)
  await createOfBoth(app)
  await until(() => other.labels().length > 0 && changed.labels().length > 0, 'the events of both')
  t.strictSame(
    [loser, other, changed].map(({ labels }) => labels()),
    [[], ['of 1'], ['of 2']]
  )
}

void t.test('who loses rights loses its stream; those that had the same keep theirs', async (t) => {
  await loseRights(t, (label) => ({ inq: [label] }))
})

void t.test('so does who has them by a regular expression', async (t) => {
  await loseRights(t, (label) => ({ regexp: new RegExp(`^${label}$`) }))
})

void t.test('readers come and go, and those who stay get everything', async (t) => {
  const app = await makeApp(t, [thing([rule('$authenticated', 'ALLOW', { rows: '$owner' })])])
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `${app.listeningOrigin}/api/things/change-stream`
  const stays = await follow(app, 1)
  for (const round of [1, 2, 3]) {
    const leaving = new AbortController()
    await fetch(url, { headers: { user: '1' }, signal: leaving.signal })
    leaving.abort()
    await app.models.get('Thing').create({ userId: 1, label: `${round}` })
    const late = await follow(app, 1)
    await app.models.get('Thing').create({ userId: 1, label: `${round} again` })
    await until(() => late.labels().length === 1 && stays.labels().length === 2 * round, 'the events of both')
  }
  t.strictSame(stays.labels(), ['1', '1 again', '2', '2 again', '3', '3 again'])
})
