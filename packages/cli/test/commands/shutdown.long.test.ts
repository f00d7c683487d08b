import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { makeFolder, noteApp } from '../make-folder.ts'
import { startCommand, type Started } from '../start-command.ts'

/** Calls of `slow` are answered at the signal SIGUSR2. Each call is printed when it has reached its method. */
const script = `module.exports = (Note) => {
  const held = []
  process.on('SIGUSR2', () => held.forEach((next) => next(null, 'whole')))
  Note.slow = (next) => { console.log('call'); held.push(next) }
  Note.remoteMethod('slow', { returns: { arg: 'text', root: true }, http: { verb: 'get' } })
  Note.large = (next) => { console.log('call'); next(null, 'x'.repeat(20e6)) }
  Note.remoteMethod('large', { returns: { arg: 'text', root: true }, http: { verb: 'get' } })
}`

const where = ['--port', '0', '--host', '127.0.0.1', '--log-level', 'info']

interface Serving extends Started {
  readonly port: number
}

async function serve(t: Test, shutdown?: number): Promise<Serving> {
  const files = {
    ...noteApp,
    'server/config.json': { restApiRoot: '/api', ...(shutdown === undefined ? {} : { serverTimeouts: { shutdown } }) },
    'common/models/note.json': { name: 'Note', base: 'PersistedModel', properties: { text: 'string' } },
    'common/models/note.js': script
  }
  const started = startCommand(t, ['serve', makeFolder(t, files), ...where])
  const [, port] = await started.until(/Server listening at http:\/\/127\.0\.0\.1:(\d+)/)
  return { ...started, port: Number(port) }
}

interface Answer {
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly body: string
}

/** Resolves when so many calls have reached their method. */
async function untilCalls({ text }: Serving, count: number): Promise<void> {
  await until(() => (text().match(/^call$/gm) ?? []).length >= count, `${count} calls`)
}

async function get(port: number, path: string, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, agent }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (part: string) => (body += part))
      answer.once('error', reject).once('end', () => {
        resolve({ status: answer.statusCode, connection: answer.headers.connection, body })
      })
    })
    asked.once('error', (error) => reject(Object.assign(error, { isNew: !asked.reusedSocket }))).end()
  })
}

async function open(t: Test, port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

function agentOf(t: Test): Agent {
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  return agent
}

void t.test('calls in flight are answered whole, other connections are closed', async (t) => {
  const serving = await serve(t)
  const { port, child, ended } = serving
  const agent = agentOf(t)
  t.equal((await get(port, '/api/Notes', agent)).connection, 'keep-alive')
  const sockets = [await open(t, port), await open(t, port, 'GET /api/Notes HTTP/1.1\r\nhost: a\r\n')]
  const calls = Array.from({ length: 200 }, async () => get(port, '/api/Notes/slow', agent))
  await untilCalls(serving, 200)
  const closed = sockets.map(async (socket) => once(socket, 'close'))
  child.kill('SIGTERM')
  await Promise.all(closed)
  child.kill('SIGUSR2')
  const answers = await Promise.all(calls)
  const whole = { status: 200, connection: 'close', body: '"whole"' }
  t.strictSame(
    answers,
    calls.map(() => whole)
  )
  t.equal(await ended, 0)
})

interface Loops {
  answered: number
  isStopping: boolean
  readonly failures: unknown[]
}

/** Sends calls one after the other until its connection closes. */
async function sendCalls(port: number, agent: Agent, loops: Loops): Promise<void> {
  let answer = await get(port, '/api/Notes', agent)
  while (answer.connection !== 'close' && answer.status === 200) {
    loops.answered++
    answer = await get(port, '/api/Notes', agent)
  }
  if (answer.status !== 200) loops.failures.push(answer)
}

void t.test('no call of clients that keep their connections is broken off', async (t) => {
  const { port, child, ended } = await serve(t)
  const loops: Loops = { answered: 0, isStopping: false, failures: [] }
  const ends = Array.from({ length: 64 }, async () => {
    try {
      await sendCalls(port, agentOf(t), loops)
    } catch (error) {
      // No new connection is accepted any more; those that wait in the system's queue are reset with it.
      const { code, isNew } = error as NodeJS.ErrnoException & { isNew?: boolean }
      const isRefused = code === 'ECONNREFUSED' || (code === 'ECONNRESET' && isNew === true)
      if (!loops.isStopping || !isRefused) loops.failures.push(error)
    }
  })
  await until(() => loops.answered >= 1000, '1000 answers')
  loops.isStopping = true
  child.kill('SIGTERM')
  await Promise.all(ends)
  t.strictSame(loops.failures, [])
  t.equal(await ended, 0)
})

/** Sends a request for the large answer, and reads when it is told to. */
async function openReader(t: Test, serving: Serving): Promise<Socket> {
  const socket = await open(t, serving.port, 'GET /api/Notes/large HTTP/1.1\r\nhost: a\r\n\r\n')
  await untilCalls(serving, 1)
  return socket
}

void t.test('a slow reader gets its answer whole', async (t) => {
  const serving = await serve(t)
  const socket = await openReader(t, serving)
  const silent = await open(t, serving.port)
  serving.child.kill('SIGTERM')
  // By then connections are being closed, and this one has read nothing yet.
  await once(silent.resume(), 'close')
  let size = 0
  for await (const part of socket.iterator()) size += (part as Buffer).length
  t.ok(size > 20e6, `${size} bytes`)
  t.equal(await serving.ended, 0)
})

void t.test('what still runs after the time for it is broken off', async (t) => {
  const serving = await serve(t, 500)
  const socket = await openReader(t, serving)
  const call = get(serving.port, '/api/Notes/slow', agentOf(t))
  await untilCalls(serving, 2)
  serving.child.kill('SIGTERM')
  await t.rejects(call, { code: 'ECONNRESET' })
  t.equal(await serving.ended, 0)
  t.not(socket.bytesRead > 20e6, true)
})

void t.test('a second signal ends the process at once', async (t) => {
  const serving = await serve(t)
  const { port, child, ended } = serving
  const broken = t.rejects(get(port, '/api/Notes/slow', agentOf(t)), { code: 'ECONNRESET' })
  await untilCalls(serving, 1)
  child.kill('SIGTERM')
  // A signal that comes at once is passed over: it may be the same one, passed on by npm.
  const kill = (): NodeJS.Signals | null => {
    child.kill('SIGINT')
    return child.signalCode
  }
  await until(kill, 'the process to end')
  await broken
  t.equal(await ended, null)
  t.equal(child.signalCode, 'SIGINT')
})
