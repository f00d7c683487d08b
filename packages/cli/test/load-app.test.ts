import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import t from 'tap'
import { type LoadedApp, withApp } from '#src/load-app.ts'
import { makeFolder, noteApp } from './make-folder.ts'

const quietly = { connectors: 'optional', warn: () => {} } as const

t.test('an application is closed after the work with it, also when that fails', async (t) => {
  const apps: LoadedApp[] = []
  const dir = makeFolder(t)
  const paths = await withApp(dir, quietly, (app) => {
    apps.push(app)
    return app.routes.map(({ url }) => url)
  })
  t.ok(paths.includes('/api/Notes'))
  const failing = withApp(dir, quietly, async (app) => {
    apps.push(app)
    throw new RangeError('the work failed')
  })
  await t.rejects(failing, { message: 'the work failed' })
  t.equal(apps.length, 2)
  for (const { server } of apps) await t.rejects(server.inject('/api/Notes'), 'closed servers answer nothing')
})

t.test('health and metrics of an application that is only looked at open no port', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => void taken.close())
  const { port } = taken.address() as AddressInfo // of TCP
  const dir = makeFolder(t, { ...noteApp, 'server/component-config.json': { '@modelwire/ops': { port } } })
  const urls = await withApp(dir, quietly, ({ routes }) => routes.map(({ url }) => url))
  t.ok(urls.includes('/api/Notes'))
})
