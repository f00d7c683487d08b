import t from 'tap'
import { clientProblems, documentProblems, runClient } from '#src/index.ts'

const document = {
  openapi: '3.1.0',
  info: { title: 'Greetings', version: '1' },
  paths: {
    '/greet': {
      get: {
        operationId: 'greet',
        parameters: [{ name: 'name', in: 'query', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'string' } } } } }
      }
    }
  }
}

const source = (query: string): string => `
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'
export async function run(fetch: (request: Request) => Promise<Response>): Promise<unknown> {
  const { data } = await createClient<paths>({ baseUrl: 'http://greet.test', fetch }).GET('/greet', { params: { query: ${query} } })
  const text: string | undefined = data
  return text
}`

t.test('finds what is wrong with a document', async (t) => {
  t.strictSame(await documentProblems(document), [])
  const problems = await documentProblems({ ...document, info: {} })
  t.equal(problems.length, 2)
})

t.test('compiles and runs a client', async (t) => {
  const fetch = async (request: Request): Promise<Response> => Response.json(request.url)
  const answer = await runClient({ document, source: source("{ name: 'Ann' }"), fetch })
  t.equal(answer, 'http://greet.test/greet?name=Ann')
})

t.test('tells what the compiler finds', async (t) => {
  t.match(await clientProblems({ document, source: source('{ nam: 1 }') }), [/^line 5: .*nam/s])
})
