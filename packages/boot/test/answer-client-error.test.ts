import { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { answerClientError } from '#src/assemble/server/make-server.ts'
import { bootApp } from './make-app.ts'

/** A connection that keeps what is written to it. */
function connection(t: Test): { socket: Socket; written: () => string } {
  const socket = new Socket()
  t.teardown(() => socket.destroy())
  let text = ''
  const write = (part: unknown): boolean => {
    text += String(part)
    return true
  }
  Object.defineProperties(socket, { write: { value: write }, writable: { value: true } })
  return { socket, written: () => text }
}

const answers: readonly (readonly [code: string, status: number, phrase: string])[] = [
  ['HPE_INVALID_URL', 400, 'Bad Request'],
  ['HPE_HEADER_OVERFLOW', 431, 'Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'Request Timeout']
]

for (const [code, status, phrase] of answers)
  void t.test(`what is no request is answered as every error is: ${code}`, async (t) => {
    const server = await bootApp(t)
    const { socket, written } = connection(t)
    server.server.emit('clientError', Object.assign(new Error('x'), { code }), socket)
    const [head = '', body = ''] = written().split('\r\n\r\n')
    t.match(head, `HTTP/1.1 ${status} ${phrase}\r\n`)
    t.match(head, /\r\nConnection: close/)
    t.same(JSON.parse(body), { error: { statusCode: status, name: 'Error', message: phrase } })
    t.equal(socket.destroyed, true)
  })

void t.test('a client that is gone is answered nothing', async (t) => {
  const { socket, written } = connection(t)
  answerClientError(Object.assign(new Error('x'), { code: 'ECONNRESET' }), socket)
  t.equal(written(), '')
})
