import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { makeFolder, noteApp } from '../make-folder.ts'
import { startCommand } from '../start-command.ts'

const files = {
  ...noteApp,
  'server/component-config.json': { '@modelwire/ops': { metrics: true } },
  'server/boot/enable.js': '',
  'common/models/note.json': { name: 'Note', base: 'PersistedModel', properties: { text: 'string' } },
  'common/models/note.js': `module.exports = (Note) => {
  Note.pid = (next) => next(null, process.pid)
  Note.remoteMethod('pid', { returns: { arg: 'pid', root: true, type: 'number' }, http: { verb: 'get' } })
}`
}

interface Serving {
  /** Asks over a connection of its own, so that any of the processes may answer. */
  readonly ask: (path: string) => Promise<string>
}

async function serve(t: Test): Promise<Serving> {
  const started = startCommand(t, [
    'serve',
    makeFolder(t, files),
    '--processes',
    '2',
    '--port',
    '0',
    '--host',
    '127.0.0.1'
  ])
  const [, port] = await started.until(/Server listening at http:\/\/127\.0\.0\.1:(\d+)/)
  const ask = async (path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })).text()
  return { ask }
}

const count = (text: string, line: string): number =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length + 1) ?? 0
  )

const processesIn = (text: string): number => count(text, 'modelwire_processes')
const callsIn = (text: string): number =>
  count(text, 'modelwire_operation_duration_seconds_count{model="Note",operation="pid",status="200"}')

void t.test('metrics of several processes are added up, whichever answers', async (t) => {
  const { ask } = await serve(t)
  await until(async () => processesIn(await ask('/metrics')) === 2, 'both processes to be counted', 60_000)
  const answered = new Map<string, number>()
  const call = async (): Promise<void> => {
    const pid = await ask('/api/Notes/pid')
    answered.set(pid, (answered.get(pid) ?? 0) + 1)
  }
  await until(
    async () => {
      await call()
      return answered.size === 2
    },
    'both processes to answer',
    60_000
  )
  const calls = [...answered.values()].reduce((sum, each) => sum + each, 0)
  for (let at = 0; at < 4; at++) t.equal(callsIn(await ask('/metrics')), calls)
  const text = await ask('/metrics')
  t.equal(count(text, 'modelwire_data_source_up{data_source="db"}'), 1, 'up where it is up in all of them')
  const [killed = ''] = answered.keys()
  process.kill(Number(killed), 'SIGKILL')
  await until(
    async () => processesIn(await ask('/metrics').catch(() => '')) === 1,
    'the ended process to be left out',
    60_000
  )
  await until(
    async () => processesIn(await ask('/metrics').catch(() => '')) === 2,
    'the next one to be counted',
    60_000
  )
})
