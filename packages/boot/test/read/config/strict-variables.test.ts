import t, { type Test } from 'tap'
import { createServer } from '#src/assemble/server/create-server.ts'
import { type Files, makeFolder, usualFiles } from '../../make-app.ts'

const strict = { 'server/config.json': { restApiRoot: '/api', strictVariables: true } }

const start = async (t: Test, files: Files, variables: Readonly<Record<string, string>> = {}): Promise<string> => {
  const dir = await makeFolder(t, { ...usualFiles, ...files })
  const server = await createServer({ dir, variables, logger: false })
  t.teardown(() => server.close())
  return (await server.inject('/api/Things/count')).body
}

const unset: Readonly<Record<string, Files>> = {
  'server/datasources.json': { 'server/datasources.json': { db: { connector: 'memory', host: '${NOPE}' } } },
  'server/middleware.json': {
    'server/middleware.json': { routes: { 'loopback#rest': { paths: ['/a-${NOPE}'] } } }
  },
  'server/component-config.json': {
    'server/component-config.json': { 'loopback-component-explorer': { mountPath: '${NOPE}' } }
  }
}

for (const [file, files] of Object.entries(unset))
  void t.test(`with strictVariables, a variable of ${file} without a value ends the start`, async (t) => {
    const error = { code: 'CONFIG_VARIABLE_UNSET', message: /\$\{NOPE\}/, where: { file } }
    await t.rejects(start(t, { ...strict, ...files }), error)
    await t.resolves(start(t, files), 'LoopBack leaves it out')
  })

t.test('with strictVariables, variables with values and defaults are filled in', async (t) => {
  const datasources = { db: { connector: '${KIND:-memory}', host: '${HOST_OF_DB}', root: '${restApiRoot}' } }
  const body = await start(t, { ...strict, 'server/datasources.json': datasources }, { HOST_OF_DB: 'h' })
  t.equal(body, '{"count":0}')
})
