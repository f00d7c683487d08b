import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { explorer, type ExplorerOptions } from '#src/index.ts'
import { cellar, makeApp } from './make-app.ts'

async function serve(t: Test, options: ExplorerOptions & { prefix?: string } = {}): Promise<FastifyInstance> {
  const app = await makeApp(t, cellar)
  await app.register(explorer, { enabled: true, ...options })
  await app.ready()
  return app
}

t.test('the page, its files and both documents are at /explorer', async (t) => {
  const app = await serve(t)
  const page = await app.inject('/explorer/')
  t.equal(page.statusCode, 200)
  t.match(page.headers['content-type'], /^text\/html/)
  const files = Array.from(page.body.matchAll(/(?:src|href)="\.\/([^"]+)"/g), ([, file = '']) => file)
  t.ok(files.length > 4)
  for (const file of files) t.equal((await app.inject(`/explorer/${file}`)).statusCode, 200, file)
  t.equal((await app.inject('/explorer/openapi.json')).json<{ openapi: string }>().openapi, '3.1.0')
  t.equal((await app.inject('/explorer/swagger.json')).json<{ swagger: string }>().swagger, '2.0')
})

t.test('the page reads the same OpenAPI document that is served, whoever asks first', async (t) => {
  const app = await serve(t)
  const read = await app.inject('/explorer/json')
  t.strictSame(read.json(), (await app.inject('/explorer/openapi.json')).json())
  t.match((await app.inject('/explorer/yaml')).body, /openapi: 3\.1\.0/)
})

t.test('other addresses of the page', async (t) => {
  const app = await serve(t)
  const bare = await app.inject('/explorer?x=1')
  t.match([bare.statusCode, bare.headers.location], [301, '/explorer/?x=1'])
  t.equal((await app.inject({ method: 'HEAD', url: '/explorer/' })).statusCode, 200)
  t.match((await app.inject('/explorer/index.html')).body, /url=\.\//)
  t.equal((await app.inject('/explorer/nothing.html')).statusCode, 404)
  t.equal((await app.inject({ method: 'POST', url: '/explorer/swagger.json' })).statusCode, 404)
})

t.test('config.json leads to the document by the address that the client uses', async (t) => {
  const app = await serve(t, { auth: { key: 'x' }, resourcePath: 'docs/api.json' })
  t.strictSame((await app.inject('/explorer/config.json')).json(), {
    url: '/explorer/docs/api.json',
    auth: { key: 'x' }
  })
  const behind = { referer: 'https://example.com/deep/explorer/index.html' }
  const config = await app.inject({ url: '/explorer/config.json', headers: behind })
  t.match(config.json(), { url: '/deep/explorer/docs/api.json' })
  t.equal((await app.inject('/explorer/docs/api.json')).statusCode, 200)
})

t.test('an authorization server is told by the flows that it has, and by no others', async (t) => {
  const flows = { authorizationCode: { authorizationUrl: 'https://id.example.com/authorize', scopes: {} } }
  const app = await serve(t, { oauth2: { flows } })
  const { components } = (await app.inject('/explorer/openapi.json')).json<{ components: unknown }>()
  t.match(components, { securitySchemes: { oauth2: { flows } } })
  // A name that OpenAPI does not have.
  const wrong = { oauth2: { flows: { device: { scopes: {} } } } } as unknown as ExplorerOptions
  await t.rejects(serve(t, wrong), { code: 'OPTION_INVALID' })
})

t.test('mountPath and Fastify’s prefix move it', async (t) => {
  const app = await serve(t, { mountPath: '/docs/', prefix: '/tools' })
  t.equal((await app.inject('/tools/docs')).headers.location, '/tools/docs/')
  t.equal((await app.inject('/tools/docs/')).statusCode, 200)
  t.equal((await app.inject('/tools/docs/static/theme/explorer.js')).statusCode, 200)
  t.equal((await app.inject('/explorer/')).statusCode, 404)
})

t.test('swaggerUI: false leaves the documents', async (t) => {
  const app = await serve(t, { swaggerUI: false })
  t.equal((await app.inject('/explorer/')).statusCode, 404)
  t.equal((await app.inject('/explorer/swagger.json')).statusCode, 200)
})

t.test('folders of uiDirs go before the page', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-ui-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'own.css'), 'body { color: red }')
  const beside = await serve(t, { uiDirs: folder })
  t.match((await beside.inject('/explorer/own.css')).body, /red/)
  t.match((await beside.inject('/explorer/')).body, /swagger-ui/)
  await writeFile(join(folder, 'index.html'), '<h1>Mine</h1>')
  const own = await serve(t, { uiDirs: [folder] })
  t.match((await own.inject('/explorer/')).body, /Mine/)
  t.equal((await own.inject('/explorer/openapi.json')).statusCode, 200)
})

t.test('a browser lets nothing of others run in the page', async (t) => {
  const app = await serve(t, { host: 'api.example.com', protocol: 'https' })
  const { 'content-security-policy': policy = '' } = (await app.inject('/explorer/')).headers
  t.match(policy, /script-src 'self';/)
  t.match(policy, /connect-src 'self' https:\/\/api\.example\.com;/)
})

t.test('a title cannot become a part of the page', async (t) => {
  const app = await serve(t, { apiInfo: { title: '</title><script>1</script>' } })
  t.notMatch((await app.inject('/explorer/')).body, /<script>1/)
})

t.test('onSwagger may change the document', async (t) => {
  const app = await serve(t, { onSwagger: (document) => void (document['x-seen'] = true) })
  t.match((await app.inject('/explorer/swagger.json')).json(), { 'x-seen': true })
})

t.test('it is there when it is asked for, and not when it is not', async (t) => {
  const app = await serve(t, { enabled: false })
  t.equal((await app.inject('/explorer/')).statusCode, 404)
})

t.test('unknown options are refused', async (t) => {
  const app = await makeApp(t, cellar)
  // A name that the type does not know.
  const options = { mountpath: '/docs' } as ExplorerOptions
  await t.rejects(async () => app.register(explorer, options), { code: 'OPTION_INVALID' })
})
