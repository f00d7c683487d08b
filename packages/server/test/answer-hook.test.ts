import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { answerHook } from '#src/requests/answers.ts'

type Work = Parameters<typeof answerHook>[1]

function start(t: Test, work: Work): { app: FastifyInstance; logged: string[] } {
  const logged: string[] = []
  const app = Fastify({ logger: { level: 'error', stream: { write: (text: string) => logged.push(text) } } })
  t.teardown(() => app.close())
  app.addHook('onSend', answerHook('a task of tests', work))
  app.get('/', async (_request, reply) => reply.code(201).send({ done: true }))
  return { app, logged }
}

const works: Record<string, Work> = {
  throws: () => {
    throw new Error('store is away')
  },
  rejects: async () => {
    throw new Error('store is away')
  }
}

for (const [name, work] of Object.entries(works))
  void t.test(`an answer is sent as it is where work about it ${name}`, async (t) => {
    const { app, logged } = start(t, work)
    const answer = await app.inject('/')
    t.match([answer.statusCode, answer.body], [201, '{"done":true}'])
    t.match(JSON.parse(logged[0] ?? ''), { err: { message: 'store is away' }, task: 'a task of tests' })
  })

void t.test('work may set headers, and is waited for', async (t) => {
  const { app, logged } = start(t, async (_request, reply, payload) => {
    await Promise.resolve()
    void reply.header('x-payload', String(payload))
  })
  t.equal((await app.inject('/')).headers['x-payload'], '{"done":true}')
  t.strictSame(logged, [])
})
