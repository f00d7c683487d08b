import { until } from '@modelwire/test-waits'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { enter, makeApp } from '../make-app.ts'

const url = '/api/Notes/change-stream'

/** The text of a stream so far. */
async function follow(app: FastifyInstance, authorization: string): Promise<() => string> {
  const answer = await app.inject({ url, headers: { authorization }, payloadAsStream: true })
  let text = ''
  answer.stream().on('data', (part: Buffer) => (text += part.toString()))
  return () => text
}

/** What happens to one of the tokens of a user. */
const endings: Readonly<Record<string, (app: FastifyInstance, token: string) => Promise<unknown>>> = {
  'was removed': async ({ models }, token) => models.get('AccessToken').destroyById(token),
  'has expired': async ({ models }, token) =>
    models.get('AccessToken').updateAll({ id: token }, { created: new Date(0), ttl: 1 })
}

for (const [name, end] of Object.entries(endings))
  void t.test(`a stream whose token ${name} ends, while others of the same user and rights go on`, async (t) => {
    const everyone = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' } as const
    const acls = [everyone, { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' } as const]
    const note = { name: 'Note', public: true, properties: { text: 'string' }, acls } as const
    const app = await makeApp(t, { models: [note], streams: { recheck: 0.02 } })
    await app.ready()
    const ann = await enter(app, 'ann@shop.org')
    const login = await app.inject({
      method: 'POST',
      url: '/api/Customers/login',
      payload: { email: 'ann@shop.org', password: 'secret' }
    })
    const lost = login.json<{ id: string }>().id
    const [ends, goesOn] = [await follow(app, lost), await follow(app, ann.token)]
    const Note = app.models.get('Note')
    await Note.create({ text: 'before' })
    await until(() => ends().includes('before') && goesOn().includes('before'), 'an event for both')
    await end(app, lost)
    await until(() => ends().includes('event: error'), 'the end of a stream')
    await Note.create({ text: 'after' })
    await until(() => goesOn().includes('after'), 'an event for the other')
    t.notMatch(ends(), 'after')
    t.equal((await app.inject({ url, headers: { authorization: lost } })).statusCode, 401)
  })
