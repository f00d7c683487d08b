import t from 'tap'
import { createServer } from '#src/assemble/server/create-server.ts'
import { bootApp, makeFolder, refusal, usualFiles } from '../../make-app.ts'

const lenient = ['/api/Things', '/API/things', '/api/Things/', '//api//Things', '/api/THINGS?x=1']

void t.test('is as lenient about paths as LoopBack', async (t) => {
  const server = await bootApp(t)
  for (const url of lenient) t.equal((await server.inject(url)).statusCode, 200, url)
})

void t.test('takes long parameters', async (t) => {
  const server = await bootApp(t)
  t.equal((await server.inject(`/api/Things/${'1'.repeat(2000)}`)).statusCode, 404)
})

const unknown: [string, 'GET' | 'POST' | 'OPTIONS', string, number, string][] = [
  ['a path outside of the API', 'GET', '/nope', 404, 'Error'],
  ['another verb', 'POST', '/nope?x=1', 404, 'Error'],
  ['OPTIONS without CORS', 'OPTIONS', '/api/Things', 404, 'Error'],
  ['a path in the API', 'GET', '/api/nope', 404, 'Error'],
  ['a path that is badly encoded', 'GET', '/api/Things/%ZZ', 400, 'URIError'],
  ['another one', 'GET', '/%ZZ', 400, 'URIError']
]

for (const [name, method, url, statusCode, errorName] of unknown) {
  void t.test(`answers ${name} in LoopBack's shape`, async (t) => {
    const answer = await (await bootApp(t)).inject({ method, url })
    t.equal(answer.statusCode, statusCode)
    const { error } = answer.json<{ error: object }>()
    t.match(error, { statusCode, name: errorName, message: String })
    t.strictSame(Object.keys(error), ['statusCode', 'name', 'message'])
  })
}

void t.test('debug shows the status and the stack', async (t) => {
  const middleware = { 'final:after': { 'strong-error-handler': { params: { debug: true, log: false } } } }
  const server = await bootApp(t, { 'server/middleware.json': middleware })
  t.match((await server.inject('/nope')).json(), { error: { status: 404, stack: String } })
})

void t.test('reads the configuration of its environment', async (t) => {
  const files = { 'server/config.production.json': { restApiRoot: '/prod' } }
  const server = await bootApp(t, files, { env: 'production' })
  t.equal((await server.inject('/prod/Things')).statusCode, 200)
  t.match(server.bootReport, { env: 'production', version: 3, served: { paths: ['/prod'] } })
})

void t.test('the environment comes from NODE_ENV, else it is development', async (t) => {
  const dir = await makeFolder(t, usualFiles)
  for (const [variables, env] of [
    [{ NODE_ENV: 'staging' }, 'staging'],
    [{ NODE_ENV: '' }, 'development'],
    [{}, 'development']
  ] as const) {
    const server = await createServer({ dir, variables, logger: false })
    t.equal(server.bootReport.env, env)
    await server.close()
  }
})

void t.test('serves the API at the root', async (t) => {
  const server = await bootApp(t, { 'server/config.json': { restApiRoot: '/' } })
  t.equal((await server.inject('/Things')).statusCode, 200)
  t.match((await server.inject('/nope')).json(), { error: { statusCode: 404 } })
})

void t.test('adds routes and plugins of the caller', async (t) => {
  const server = await bootApp(t, {}, { setUp: (app) => void app.get('/own', async () => 'mine') })
  t.equal((await server.inject('/own')).body, 'mine')
})

void t.test('logs one report, an entry per line', async (t) => {
  const lines: { msg: string }[] = []
  const stream = { write: (line: string): void => void lines.push(JSON.parse(line) as { msg: string }) }
  const push = { 'loopback-component-push': {} }
  await bootApp(t, { 'server/component-config.json': push }, { logger: { level: 'info', stream } })
  const texts = lines.map(({ msg }) => msg)
  t.equal(texts.filter((text) => text.includes('behaves like LoopBack 3')).length, 1)
  t.notOk(texts.some((text) => text.includes('\n')))
  t.match(
    texts.join('\n'),
    /REST API at \/api: 1 models\n {2}Thing at \/Things \(db\)[\s\S]*Not honoured\n {2}server\/component-config\.json: /
  )
})

void t.test('refuses what is no application', async (t) => {
  const dir = await makeFolder(t, { 'readme.md': 'hello' })
  await t.rejects(createServer({ dir, logger: false }), { code: 'APP_FOLDER_INVALID' })
})

void t.test('refuses wrong options', async (t) => {
  t.strictSame(await refusal(t, {}, { version: 4 as 3 }), { code: 'OPTION_INVALID', key: 'version' })
  // A list where names are wanted, as somebody without TypeScript may write it.
  t.strictSame(await refusal(t, {}, { connectors: [] as never }), { code: 'OPTION_INVALID', key: 'connectors' })
})

void t.test('closes what it opened when a script fails', async (t) => {
  let open = 0
  const capabilities = { operations: new Set(), generatedIdType: 'number' }
  const counting = (): never =>
    ({
      name: 'counting',
      capabilities,
      collection: () => ({}),
      connect: async () => void open++,
      disconnect: async () => void open--
    }) as never
  const files = {
    'server/datasources.json': { db: { connector: 'counting' } },
    'server/boot/a.js': 'module.exports = () => { throw new Error("no") }'
  }
  t.match(await refusal(t, files, { connectors: { counting } }), { code: 'SCRIPT_FAILED' })
  t.equal(open, 0)
})
