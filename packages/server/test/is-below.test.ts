import t from 'tap'
import fastify from 'fastify'
import { isBelow } from '#src/requests/request-target.ts'

const below: [string, string[], boolean][] = [
  ['/api/things?x=1', ['/api'], true],
  ['/API', ['/api/'], true],
  ['/apix', ['/api'], false],
  ['/other', ['/api', '/other'], true],
  ['/x', ['/'], true],
  ['http://shop.org/api/things?x=1', ['/api'], true],
  ['HTTPS://shop.org:8080/API', ['/api'], true],
  ['http://shop.org/other?to=http://shop.org/api', ['/api'], false],
  ['/http://shop.org/api', ['/api'], false],
  ['//%61pi//things', ['/api/'], true],
  ['/api%2Fthings', ['/api'], false],
  ['*', ['/'], false],
  ['/x', [''], true],
  ['/x', ['/%E0%A4%A'], false],
  ['/x', ['api'], false]
]

for (const [url, paths, expected] of below) {
  void t.test(`${url} is ${expected ? '' : 'not '}below ${paths.join()}`, async (t) => {
    const server = fastify({ rewriteUrl: () => url })
    server.setNotFoundHandler(async (request) => ({ isBelow: isBelow(request, paths) }))
    t.strictSame((await server.inject('/')).json(), { isBelow: expected })
    await server.close()
  })
}
