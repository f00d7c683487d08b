import Fastify from 'fastify'
import t from 'tap'
import { addClient, basic, makeApp, post } from '../make-app.ts'

const type = 'application/x-www-form-urlencoded'
const form = { grant_type: 'client_credentials', scope: 'read' }

t.test('an application with a parser of forms keeps it, and the token endpoint reads forms itself', async (t) => {
  const server = Fastify()
  server.addContentTypeParser(type, { parseAs: 'string' }, async (_request: unknown, text: string) => text)
  const app = await makeApp(t, { server })
  app.post('/own', async ({ body }) => ({ body }))
  const answer = await post(app, '/oauth/token', form, basic(await addClient(app)))
  t.equal(answer.statusCode, 200, answer.body)
  t.strictSame((await post(app, '/own', 'a=1')).json(), { body: 'a=1' })
})

t.test('an application may add a parser of forms after the server', async (t) => {
  const app = await makeApp(t)
  app.addContentTypeParser(type, { parseAs: 'string' }, async (_request: unknown, text: string) => text)
  app.post('/own', async ({ body }) => ({ body }))
  const answer = await post(app, '/oauth/token', form, basic(await addClient(app)))
  t.equal(answer.statusCode, 200, answer.body)
  t.strictSame((await post(app, '/own', 'a=1')).json(), { body: 'a=1' })
})

t.test('a form that is not UTF-8, or too large, is refused in the words of OAuth', async (t) => {
  const app = await makeApp(t)
  const headers = { ...basic(await addClient(app)), 'content-type': type }
  const send = async (payload: Buffer | string): Promise<unknown[]> => {
    const answer = await app.inject({ method: 'POST', url: '/oauth/token', headers, payload })
    return [answer.statusCode, answer.json<{ error: string }>().error]
  }
  t.strictSame(await send(Buffer.from([0x61, 0x3d, 0xff])), [400, 'invalid_request'])
  t.strictSame(await send(`grant_type=${'x'.repeat(70_000)}`), [400, 'invalid_request'])
})
