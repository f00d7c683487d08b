import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresql } from '@modelwire/connector-postgresql'
import { checkLoad, sendLoad, serveEntries } from '@modelwire/connector-tests'
import { takeTime } from '@modelwire/test-waits'
import t from 'tap'
import { runOn, startOwnServer } from '@modelwire/connector-tests/postgresql'

/** Milliseconds of load before and after the kill. The long form of this test has more of them. */
const loadTime = Number(process.env['MODELWIRE_FAULT_TIME'] ?? 400)

const unavailable = '503 DATA_SOURCE_UNAVAILABLE'

void t.test('a server that is killed and started again under load loses nothing and lets nobody wait', async (t) => {
  const server = await startOwnServer()
  t.teardown(() => server.stop())
  const settings = { url: server.url, max: 4 }
  const { app, url } = await serveEntries(postgresql(settings))
  t.teardown(() => app.close())
  const load = sendLoad(url)
  await load.success(10_000)
  await takeTime(loadTime, 'load')
  await server.kill()
  await load.answered(unavailable, 20_000)
  await server.restart()
  const back = performance.now()
  await load.success(5000)
  t.comment(`served again ${Math.round(performance.now() - back)} ms after the database`)
  await takeTime(loadTime, 'load')
  const report = await load.stop()
  t.ok((report.answers.get(unavailable) ?? 0) > 0, 'requests were told that the database was away')
  await checkLoad(t, report, { connector: postgresql(settings), allowed: [unavailable] })
})

void t.test('a disk that is full is told, and reads go on', { skip: whyNoSmallDisk() }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-small-disk-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0777', 'tmpfs', folder])
  t.teardown(() => execFileSync('umount', [folder]))
  // Directories of a tablespace belong to the server's user.
  execFileSync('chown', ['postgres', folder])
  const server = await startOwnServer()
  t.teardown(() => server.stop())
  await runOn(server.url, `create tablespace small location '${folder}'`, 'set default_tablespace = small')
  await runOn(server.url, `alter role postgres set default_tablespace = small`)
  const { app, url } = await serveEntries(postgresql({ url: server.url }))
  t.teardown(() => app.close())
  const post = async (twin: string) =>
    app.inject({ method: 'POST', url: new URL(url).pathname, payload: { id: twin.slice(0, 20), serial: 1, twin } })
  t.equal((await post('first')).statusCode, 200)
  const answers: number[] = []
  const texts = Array.from({ length: 300 }, (_, at) => incompressible(at))
  for (const text of texts) answers.push((await post(text)).statusCode)
  t.match((await post(incompressible(301))).json(), { error: { statusCode: 507, code: 'DATABASE_FULL' } })
  t.same([...new Set(answers)], [200, 507])
  t.match((await app.inject(`${new URL(url).pathname}/first`)).json(), { twin: 'first' })
})

/** A text of some kilobytes that the database cannot make smaller, different for each number. */
function incompressible(number: number): string {
  let state = number + 1
  const next = (): string => {
    state = (state * 48_271) % 2_147_483_647
    return state.toString(36)
  }
  return Array.from({ length: 1200 }, next).join('')
}

function whyNoSmallDisk(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return false
  } catch {
    return 'needs the right to mount a file system'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
