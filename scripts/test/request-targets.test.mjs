import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { root } from '../docs/markdown-files.mjs'
import { findTargets } from '../facts/find-targets.mjs'

/** The places that may, with what they do with the text. */
const exempt = {
  'packages/server/src/requests/request-target.ts': 'knows the forms of targets',
  'packages/rest/src/route-finder.ts': 'finds routes as the server does',
  'packages/rest/src/layers/batch/run-batch.ts': 'the URL in a batch, which the finder of operations reads',
  'packages/rest/src/layers/batch/send-within.ts':
    'sends what the finder of operations gave, and looks which route has it',
  'packages/rest/src/layers/idempotency/idempotent-requests.ts':
    'compares the texts of two requests: another spelling is another request',
  'packages/rest/src/output/send-result.ts': 'looks whether the query is worth parsing',
  'packages/oauth2/src/server/endpoints/authorize.ts': 'the address to come back to, which safeReturn checks',
  'packages/oauth2/src/pages/consent.ts': 'the same',
  'packages/explorer/src/page/add-page.ts': 'gives it to splitTarget',
  'packages/loopback/src/express/register-express.ts': 'gives Express the path that the route was chosen by',
  'packages/loopback/src/express/forward.ts': "gives Express's own text back to it",
  'packages/loopback/src/express/express-objects.ts': 'shows scripts what Express showed them',
  'packages/cli/src/behind/compare/ask-sides.ts': 'sends what parsedTarget gave',
  'packages/cli/src/behind/gate.ts': 'writes it to the log',
  'packages/cli/src/behind/intercept.ts': 'lets Node parse the same head again',
  'packages/cli/src/behind/pass-on/': 'takes the origin off, or writes it to the log',
  'packages/cli/src/behind/routes/route-table.ts': 'gives it to routeFinder',
  'packages/cli/src/testing/test-client.ts': "sends an application's own tests",
  'packages/cli/src/init/': 'writes tests for new applications'
}

const ofTests = /^(?:connector|explorer|transport)-tests$/

const sources = readdirSync(join(root, 'packages'))
  .filter((name) => !ofTests.test(name))
  .map((name) => join(root, 'packages', name, 'src'))
  .filter(existsSync)
  .flatMap(listFiles)
const findings = sources.flatMap((path) =>
  findTargets(readFileSync(path, 'utf8')).map((finding) => ({ ...finding, path: relative(root, path) }))
)

function listFiles(path) {
  if (!statSync(path).isDirectory()) return path.endsWith('.ts') ? [path] : []
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)))
}

const exemptionOf = (path) => Object.keys(exempt).find((start) => path.startsWith(start))

t.test('no source reads the target of a request by itself, or sends one that a parser may change', async (t) => {
  t.ok(sources.length > 500)
  const read = findings.filter(({ path }) => exemptionOf(path) === undefined)
  t.same(
    read.map(
      ({ path, line, text, message }) => `${path}:${line} ${text.replace(/\s+/g, ' ').slice(0, 80)}: ${message}`
    ),
    []
  )
})

t.test('every exemption is needed', async (t) => {
  const needed = new Set(findings.map(({ path }) => exemptionOf(path)))
  t.same(
    Object.keys(exempt).filter((start) => !needed.has(start)),
    []
  )
})

const wrong = [
  "if (request.url.startsWith('/api')) return",
  "const [path] = (request.raw.url ?? '').split('?')",
  "const { method, url = '' } = req",
  'const { url } = request.raw',
  'const isPage = ({ url }: FastifyRequest) => url === place',
  "const pathOf = ({ headers, url }: Pick<IncomingMessage, 'url'>) => url",
  'const first = req.originalUrl',
  "import Router from 'find-my-way'",
  'await server.inject({ url })'
]

for (const code of wrong)
  t.test(`is found: ${code}`, async (t) => {
    t.match(findTargets(`const a = 1\n${code}\n`), [{ line: 2 }])
  })

const right = [
  'const path = requestPath(request)',
  'const { url } = request.routeOptions',
  "const planFor = ({ url }: FastifyRequest['routeOptions']) => url",
  'const { url: address } = settings',
  '// request.url\nconst a = 1'
]

for (const code of right)
  t.test(`is fine: ${code.replace(/\s+/g, ' ')}`, async (t) => {
    t.same(findTargets(code), [])
  })
