import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createServer } from '@modelwire/boot'
import t, { type Test } from 'tap'
import { formHeaders, textFile, uploadOf } from './form.ts'
import { temporaryFolder } from './serve-files.ts'

const script = `module.exports = (Album) => {
  const upload = (ctx, options, done) => {
    const files = Album.app.models.Container
    files.upload(ctx.req, ctx.res, { container: 'one' }, (error, stored) => {
      if (error) return done(error)
      const { name, container } = stored.files.file[0]
      files.getFile(container, name, (missing, file) => done(missing, { name: file && file.name, size: file && file.size }))
    })
  }
  Album.send = upload
  Album.remoteMethod('send', {
    accepts: [
      { arg: 'ctx', type: 'object', http: { source: 'context' } },
      { arg: 'options', type: 'object', http: { source: 'query' } }
    ],
    returns: { arg: 'file', type: 'object', root: true }
  })
}`

const boot = `module.exports = (app) => {
  app.dataSources.files.connector.getFilename = (file, req, res) => 'x-' + file.name
  app.models.Container.beforeRemote('download', (ctx, unused, next) => { ctx.res.set('x-hook', ctx.args.file); next() })
}`

const files: Readonly<Record<string, unknown>> = {
  'package.json': { name: 'files', dependencies: { loopback: '^3.0.0' } },
  'server/config.json': { restApiRoot: '/api', remoting: { cors: false } },
  'server/datasources.json': {
    db: { connector: 'memory' },
    files: { connector: 'loopback-component-storage', provider: 'filesystem', root: './storage' }
  },
  'server/component-config.json': { 'loopback-component-storage': {} },
  'server/middleware.json': { routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } } },
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    Container: { dataSource: 'files', public: true },
    Album: { dataSource: 'db', public: true }
  },
  'common/models/container.json': { name: 'Container', base: 'Model', plural: 'containers' },
  'common/models/album.json': { name: 'Album', base: 'Model' },
  'common/models/album.js': script,
  'server/boot/files.js': boot
}

async function bootFolder(t: Test) {
  const dir = await temporaryFolder(t)
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  await mkdir(join(dir, 'storage', 'one'), { recursive: true })
  await mkdir(join(dir, 'node_modules', '@modelwire'), { recursive: true })
  await symlink(join(import.meta.dirname, '..'), join(dir, 'node_modules', '@modelwire', 'storage'))
  const app = await createServer({ dir, env: 'development', variables: {}, logger: false })
  t.teardown(() => app.close())
  return { app, root: join(dir, 'storage') }
}

t.test('an application folder of LoopBack has its files', async (t) => {
  const { app, root } = await bootFolder(t)
  t.strictSame(app.bootReport.notes, [])
  const answer = await app.inject(uploadOf('/api/containers/one/upload', textFile('hello')))
  t.strictSame(answer.json(), {
    result: {
      files: {
        file: [
          { container: 'one', name: 'x-a.txt', type: 'text/plain', field: 'file', originalFilename: 'a.txt', size: 5 }
        ]
      },
      fields: {}
    }
  })
  const download = await app.inject('/api/containers/one/download/x-a.txt')
  t.match(download, { statusCode: 200, body: 'hello', headers: { 'x-hook': 'x-a.txt' } })
  t.match((await app.inject('/api/containers')).json(), [{ name: 'one' }])
  t.strictSame(await readdir(join(root, 'one')), ['x-a.txt'])
})

t.test('a script hands its request on, and calls the methods with callbacks', async (t) => {
  const { app } = await bootFolder(t)
  const answer = await app.inject(uploadOf('/api/Albums/send', textFile('hello')))
  t.strictSame(answer.json(), { name: 'x-a.txt', size: 5 })
})

t.test('errors are those of LoopBack where it has any', async (t) => {
  const { app } = await bootFolder(t)
  t.strictSame((await app.inject('/api/containers/one/download/none.txt')).json(), {
    error: { statusCode: 404, name: 'Error', message: 'File not found: none.txt', code: 'ENOENT' }
  })
  const empty = { method: 'POST' as const, headers: formHeaders, payload: '----------boundary--\r\n' }
  t.strictSame((await app.inject({ ...empty, url: '/api/containers/one/upload' })).json(), {
    error: { statusCode: 400, name: 'Error', message: 'No file content uploaded' }
  })
})
