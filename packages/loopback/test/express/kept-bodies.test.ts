import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import t from 'tap'
import { createKeptBodies } from '#src/express/register-express.ts'

function makeRequest(headers: Record<string, string>): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, headers)
  return request
}

void t.test('a body that was read to its end is there again', async (t) => {
  const bodies = createKeptBodies()
  const request = makeRequest({ 'content-length': '6' })
  bodies.keep(request)
  request.push('abc')
  request.push('def')
  request.push(null)
  for await (const chunk of request) t.ok(chunk)
  const replayed = bodies.replay(request)
  const chunks: Uint8Array[] = []
  for await (const chunk of replayed ?? []) chunks.push(chunk as Uint8Array)
  t.equal(Buffer.concat(chunks).toString(), 'abcdef')
  t.match(replayed, { receivedEncodedLength: 6 })
})

void t.test('nothing is kept of a body that is left to Fastify', (t) => {
  const bodies = createKeptBodies()
  const request = makeRequest({ 'transfer-encoding': 'chunked' })
  bodies.keep(request)
  t.ok(Object.hasOwn(request, 'emit'))
  t.equal(bodies.replay(request), undefined)
  t.notOk(Object.hasOwn(request, 'emit'))
  t.end()
})

void t.test('a request without a body is left alone', (t) => {
  const bodies = createKeptBodies()
  const request = makeRequest({})
  bodies.keep(request)
  t.notOk(Object.hasOwn(request, 'emit'))
  t.end()
})
