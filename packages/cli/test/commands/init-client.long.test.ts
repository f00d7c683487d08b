import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createServer } from '@modelwire/boot'
import { injectFetch, runClient } from '@modelwire/explorer-tests'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { link, makeEmptyFolder } from '../new-project.ts'

const source = `
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

export async function run(fetch: (request: Request) => Promise<Response>): Promise<unknown> {
  const client = createClient<paths>({ baseUrl: 'http://localhost/api', fetch })
  const body = { email: 'ann@example.org', password: 'correct horse battery' }
  await client.POST('/Accounts', { body })
  const login = await client.POST('/Accounts/login', { body })
  const headers = { authorization: \`Bearer \${login.data?.id}\` }
  await client.POST('/Notes', { body: { text: 'Buy milk' }, headers })
  // @ts-expect-error a note has no such property
  const refused = await client.POST('/Notes', { body: { txt: 'Buy milk' }, headers })
  const id = 1
  const finished = await client.POST('/Notes/{id}/finish', { params: { path: { id } }, headers })
  const found = await client.GET('/Notes/{id}', { params: { path: { id } }, headers })
  return {
    life: login.data?.ttl,
    finished: finished.data?.done,
    note: [found.data?.text, found.data?.done, found.data?.accountId],
    refused: refused.response.status,
    stranger: (await client.GET('/Notes')).response.status
  }
}
`

async function serverOf(dir: string, style: string): Promise<FastifyInstance> {
  if (style === 'json') return createServer({ dir })
  await promisify(execFile)('npm', ['run', 'build'], { cwd: dir })
  const module = (await import(pathToFileURL(join(dir, 'dist/src/server.js')).href)) as {
    buildServer: () => Promise<FastifyInstance>
  } // the made project exports it
  return module.buildServer()
}

for (const style of ['typebox', 'json'])
  t.test(`the typed client of a project of style ${style} compiles and logs in`, { timeout: 120_000 }, async (t) => {
    const dir = join(makeEmptyFolder(t), 'notes')
    t.equal(await run(['init', dir, '--style', style], fakeTerminal()), 0)
    link(dir)
    const app = await serverOf(dir, style)
    t.teardown(() => app.close())
    const terminal = fakeTerminal()
    t.equal(await run(['openapi', dir], terminal), 0, terminal.errText())
    const document = JSON.parse(terminal.outText()) as object // the command writes a document
    t.strictSame(await runClient({ document, source, fetch: injectFetch(app) }), {
      life: 1_209_600,
      finished: true,
      note: ['Buy milk', true, 1],
      refused: 422,
      stranger: 401
    })
  })
