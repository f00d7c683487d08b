import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { argumentsOfProcess, readProcesses } from '#src/processes/run-processes.ts'
import { makeFolder, noteApp } from '../make-folder.ts'
import { startCommand, type Started } from '../start-command.ts'

const files = {
  ...noteApp,
  'server/config.json': { restApiRoot: '/api' },
  'server/boot/enable.js': '',
  'common/models/note.json': { name: 'Note', base: 'PersistedModel', properties: { text: 'string' } },
  'common/models/note.js': `module.exports = (Note) => {
  Note.pid = (next) => next(null, process.pid)
  Note.remoteMethod('pid', { returns: { arg: 'pid', root: true, type: 'number' }, http: { verb: 'get' } })
}`
}

interface Serving extends Started {
  /** The process that answers one request over a connection of its own. */
  readonly pid: () => Promise<number>
  /** The processes that answer, until there are so many of them. */
  readonly pids: (count: number, without?: number) => Promise<ReadonlySet<number>>
}

async function serve(t: Test, count: number): Promise<Serving> {
  const flags = ['--processes', String(count), '--port', '0', '--host', '127.0.0.1']
  const started = startCommand(t, ['serve', makeFolder(t, files), ...flags])
  const [, port] = await started.until(/Server listening at http:\/\/127\.0\.0\.1:(\d+)/)
  const pid = async (): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/Notes/pid`, { headers: { connection: 'close' } })
    return Number(await answer.text())
  }
  const pids = async (wanted: number, without?: number): Promise<ReadonlySet<number>> => {
    const seen = new Set<number>()
    await until(
      async () => {
        const answered = await pid()
        if (answered !== without) seen.add(answered)
        return seen.size === wanted
      },
      `${wanted} processes to answer`,
      60_000
    )
    return seen
  }
  return { ...started, pid, pids }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function untilGone(pids: Iterable<number>): Promise<void> {
  for (const pid of pids) await until(() => !isRunning(pid), `the process ${pid} to end`)
}

void t.test('several processes share a port, and one that is killed is replaced', async (t) => {
  const { child, text, pids, ended } = await serve(t, 2)
  const first = await pids(2)
  t.notOk(first.has(child.pid ?? 0), 'the first process answers nothing itself')
  const [killed = 0] = first
  process.kill(killed, 'SIGKILL')
  await untilGone([killed])
  const second = await pids(2, killed)
  t.equal([...second].filter((pid) => first.has(pid)).length, 1)
  t.match(text(), new RegExp(`process ${killed} ended by SIGKILL, restarting in \\d+ ms`))
  child.kill('SIGTERM')
  t.equal(await ended, 0)
  await untilGone([...first, ...second])
})

void t.test('processes end with the one that started them', async (t) => {
  const { child, pids } = await serve(t, 2)
  const running = await pids(2)
  child.kill('SIGKILL')
  await untilGone(running)
  t.pass('all ended')
})

void t.test('an application that does not start is started once in each process', async (t) => {
  const broken = { ...files, 'server/boot/enable.js': "module.exports = () => { throw new Error('no key') }" }
  const { ended, text } = startCommand(t, ['serve', makeFolder(t, broken), '--processes', '2', '--port', '0'])
  t.equal(await ended, 1)
  t.match(text(), /no key/)
  t.match(text(), /process \d+ ended with exit code 1 before it started listening: see its log\n {2}\(PROCESS_FAILED\)/)
  t.notMatch(text(), /restarting in/)
})

void t.test('what one process alone can do is refused beside --processes', async (t) => {
  const dir = makeFolder(t, files)
  const refused = [
    { flags: ['--processes', '0'], why: 'must be auto or an integer from 1 to 256, not 0' },
    { flags: ['--processes', '2', '--watch'], why: '--processes and --watch cannot be combined' },
    { flags: ['--processes=2', '--behind', 'http://127.0.0.1:1'], why: '--processes and --behind cannot be combined' },
    { flags: ['--processes=2', '--port', 'x'], why: '--port must be an integer' }
  ]
  for (const { flags, why } of refused) {
    const { ended, text } = startCommand(t, ['serve', dir, ...flags])
    t.equal(await ended, 2, flags.join(' '))
    t.match(text(), why)
    t.match(text(), '(USAGE)')
  }
})

void t.test('--processes is a number or auto, and is not passed on', async (t) => {
  t.equal(readProcesses('3'), 3)
  t.ok(readProcesses('auto') >= 1)
  for (const wrong of ['', '-1', '1.5', '1e2', '257', 'two', ' 2'])
    t.throws(() => readProcesses(wrong), { code: 'USAGE' }, wrong)
  const rest = ['serve', '.', '--port', '80']
  t.strictSame(argumentsOfProcess([...rest, '--processes', '4']), rest)
  t.strictSame(argumentsOfProcess(['--processes=auto', ...rest]), rest)
})
