import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import t from 'tap'
import { type Sender, senderOf } from '#src/requests/sender.ts'

const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => reply.send(senderOf(request))

const cases: readonly (readonly [what: string, headers: Record<string, string>, sender: Sender])[] = [
  ['a page of this server', { 'sec-fetch-site': 'same-origin', origin: 'https://shop.example' }, 'own'],
  ['one behind a proxy that changes the host', { 'sec-fetch-site': 'same-origin', origin: 'https://a.example' }, 'own'],
  ['another origin of the site', { 'sec-fetch-site': 'same-site', origin: 'https://blog.shop.example' }, 'neighbour'],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 'foreign'],
  ['what no browser says', { 'sec-fetch-site': 'any', origin: 'https://shop.example' }, 'foreign'],
  ['a named origin', { 'sec-fetch-site': 'cross-site', origin: 'https://app.example' }, 'own'],
  ['an address that was typed', { 'sec-fetch-site': 'none' }, 'person'],
  ['no browser', {}, 'program'],
  ['an older browser, from this server', { origin: 'https://shop.example' }, 'own'],
  ['an older browser, with the port', { origin: 'https://shop.example', host: 'shop.example:443' }, 'own'],
  ['an older browser, from another port', { origin: 'https://shop.example:8443' }, 'foreign'],
  ['an older browser, from another site', { origin: 'https://evil.example' }, 'foreign'],
  ['an older browser, from a named origin', { origin: 'https://app.example' }, 'own'],
  ['a page without an origin', { origin: 'null' }, 'foreign'],
  ['a host that is none', { origin: 'https://shop.example', host: 'a b' }, 'foreign']
]

for (const [what, headers, sender] of cases)
  t.test(`requests know who sent them: ${what}`, async (t) => {
    const app = Fastify()
    t.teardown(() => app.close())
    app.post('/', (request, reply) => reply.send(senderOf(request, ['https://app.example'])))
    const { body } = await app.inject({ method: 'POST', url: '/', headers: { host: 'shop.example', ...headers } })
    t.equal(body, sender)
  })

t.test('a page that came without HTTPS is none of a server that is reached by it', async (t) => {
  const app = Fastify({ trustProxy: true })
  t.teardown(() => app.close())
  app.post('/', answer)
  const ask = async (proto: string, origin: string): Promise<string> => {
    const headers = { host: 'shop.example', 'x-forwarded-proto': proto, origin }
    return (await app.inject({ method: 'POST', url: '/', headers })).body
  }
  t.equal(await ask('https', 'http://shop.example'), 'foreign')
  t.equal(await ask('https', 'https://shop.example'), 'own')
  t.equal(await ask('http', 'http://shop.example'), 'own')
})
