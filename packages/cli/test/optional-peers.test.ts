import t from 'tap'
import { fakeTerminal } from './fake-terminal.ts'
import { installAlone } from './install-alone.ts'
import { makeFolder, noteApp } from './make-folder.ts'
import { makeEmptyFolder, manifestIn } from './new-project.ts'

const onPostgresql = {
  ...noteApp,
  'server/datasources.json': { db: { connector: 'postgresql', url: 'postgres://localhost/none' } }
}
const install = /npm install @modelwire\/connector-postgresql/

t.test('connectors, storage and pino-pretty are optional peers of the published command', async (t) => {
  const { manifest } = await installAlone(t)
  const peers = Object.keys(manifest.peerDependencies)
  t.ok(peers.includes('@modelwire/connector-postgresql') && peers.includes('pino-pretty'))
  for (const name of peers) {
    t.notOk(name in manifest.dependencies, name)
    t.equal(manifest.peerDependenciesMeta[name]?.optional, true, name)
    t.match(manifest.peerDependencies[name], /^\^\d/, name)
  }
})

t.test('commands that need a connector name its package where it is not installed', async (t) => {
  const run = await (await installAlone(t)).load()
  const dir = makeFolder(t, onPostgresql)
  for (const command of ['serve', 'migrate', 'seed', 'discover']) {
    const terminal = fakeTerminal()
    t.equal(await run([command, dir], terminal), 1, command)
    t.match(terminal.errText(), install, command)
    t.match(
      terminal.errText(),
      /in server\/datasources\.json, db\.connector\n {2}\(CONNECTOR_NOT_INSTALLED\)$/,
      command
    )
  }
})

t.test('commands that can do without go on, and say what to install', async (t) => {
  const run = await (await installAlone(t)).load()
  const dir = makeFolder(t, onPostgresql)
  for (const command of ['routes', 'access']) {
    const terminal = fakeTerminal()
    t.equal(await run([command, dir], terminal), 0, command)
    t.match(terminal.errText(), /^modelwire: server\/datasources\.json: db\.connector: .* is not installed/, command)
    t.match(terminal.errText(), install, command)
  }
})

t.test('commands that keep data sources in memory need no connector', async (t) => {
  const run = await (await installAlone(t)).load()
  const dir = makeFolder(t, onPostgresql)
  for (const command of ['openapi', 'types']) {
    const terminal = fakeTerminal()
    t.equal(await run([command, dir], terminal), 0, command)
    t.equal(terminal.errText(), '', command)
  }
})

t.test('check lists a connector that is not installed', async (t) => {
  const run = await (await installAlone(t)).load()
  const terminal = fakeTerminal()
  t.equal(await run(['check', makeFolder(t, onPostgresql)], terminal), 1)
  t.match(terminal.outText(), /the connector "postgresql" is not installed.*\(CONNECTOR_MISSING\)/)
  t.match(terminal.outText(), install)
})

t.test('init writes the versions of connectors that are not installed', async (t) => {
  const { load, manifest } = await installAlone(t)
  const run = await load()
  for (const style of ['typebox', 'json']) {
    const dir = makeEmptyFolder(t)
    t.equal(await run(['init', dir, '--style', style, '--database', 'postgresql'], fakeTerminal()), 0)
    const name = '@modelwire/connector-postgresql'
    t.equal(manifestIn(dir).dependencies[name], manifest.peerDependencies[name], style)
  }
})

t.test('serve on a terminal says how the log becomes readable without pino-pretty', async (t) => {
  const run = await (await installAlone(t)).load()
  const terminal = fakeTerminal(true)
  await run(['serve', makeFolder(t, onPostgresql)], terminal)
  t.match(terminal.errText(), /^modelwire: npm install pino-pretty for a readable log\n/)
})

t.test('the version and the help load no application', async (t) => {
  const run = await (await installAlone(t, ['@modelwire/boot'])).load()
  for (const args of [['--version'], ['--help'], ['help', 'serve'], ['serve', '--help'], ['check', '--help']]) {
    const terminal = fakeTerminal()
    t.equal(await run(args, terminal), 0, terminal.errText())
  }
})
