import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import t from 'tap'
import { storage } from '#src/index.ts'
import { textFile, uploadOf } from './form.ts'
import { serveFiles, temporaryFolder } from './serve-files.ts'

t.test('code has the methods, too', async (t) => {
  const { app } = await serveFiles(t)
  const { Container } = app.models
  t.match(await Container.createContainer({ name: 'one' }), { name: 'one', size: Number })
  t.match(await Container.getContainers(), [{ name: 'one', mtime: Date }])
  t.match(await Container.getContainer('one'), { name: 'one' })
  t.strictSame(await Container.getFiles('one'), [])
  await t.rejects(Container.getFile('one', 'a'), { code: 'ENOENT', statusCode: 404 })
  await t.rejects(Container.removeFile('one', '../a'), { code: 'FILE_NAME_INVALID' })
  await Container.destroyContainer('one')
  t.strictSame(await Container.getContainers(), [])
  await t.rejects(Container.find(), { code: 'NOT_IMPLEMENTED' }, 'there are no records')
})

t.test('streams write and read files', async (t) => {
  const { app, root } = await serveFiles(t)
  const { Container } = app.models
  await mkdir(join(root, 'one'))
  const writing = Container.uploadStream('one', 'a.txt')
  const success = once(writing, 'success')
  writing.write('hello ')
  writing.end('world')
  t.match((await success)[0], { container: 'one', name: 'a.txt', size: 11 })
  t.equal(await readFile(join(root, 'one', 'a.txt'), 'utf8'), 'hello world')
  t.equal(await text(Container.downloadStream('one', 'a.txt')), 'hello world')
  t.equal(await text(Container.downloadStream('one', 'a.txt', { start: 2, end: 4 })), 'llo')
  t.equal(await text(Container.downloadStream('one', 'a.txt', { start: 9 })), 'ld')
  t.equal((await buffer(Container.downloadStream('one', 'a.txt', { start: 99 }))).length, 0)
})

t.test('streams fail where there is no container, or no file', async (t) => {
  const { app, root } = await serveFiles(t)
  const { Container } = app.models
  await mkdir(join(root, 'one'))
  const writing = Container.uploadStream('none', 'a.txt')
  writing.end('x')
  t.match(await once(writing, 'error'), [{ code: 'ENOENT' }])
  await t.rejects(text(Container.downloadStream('one', 'none')), { code: 'ENOENT' })
  t.throws(() => Container.downloadStream('one', 5 as unknown as string), { code: 'FILE_NAME_INVALID' })
})

t.test('a method of the application hands its request on', async (t) => {
  const { app, root } = await serveFiles(
    t,
    {},
    {
      models: [
        { name: 'Container', base: 'Model', public: false },
        {
          name: 'Album',
          base: 'Model',
          public: true,
          methods: {
            send: {
              accepts: [
                { arg: 'req', type: 'object', http: { source: 'req' } },
                { arg: 'res', type: 'object', http: { source: 'res' } }
              ],
              returns: { arg: 'result', type: 'object', root: true }
            }
          }
        }
      ]
    }
  )
  await mkdir(join(root, 'photos'))
  const { Container } = app.models
  Object.assign(app.models.get('Album'), {
    send: (request: never, response: never) =>
      Container.upload(
        request,
        response,
        { container: 'photos', getFilename: () => 'b.txt' } as never,
        undefined as never
      )
  })
  const answer = await app.inject(uploadOf('/api/Albums/send', textFile('hello')))
  t.match(answer.json(), { files: { file: [{ name: 'b.txt', originalFilename: 'a.txt' }] } })
})

t.test('settings are checked', async (t) => {
  const root = await temporaryFolder(t)
  const wrong: readonly (readonly [settings: Record<string, unknown>, key: string])[] = [
    [{}, 'root'],
    [{ root: '' }, 'root'],
    [{ root: 5 }, 'root'],
    [{ root, provider: 'azure' }, 'provider'],
    [{ root, maxFileSize: 'many' }, 'maxFileSize'],
    [{ root, allowedContentTypes: 'image/png' }, 'allowedContentTypes'],
    [{ root, nameConflict: 'x' }, 'nameConflict'],
    [{ provider: 'amazon', key: 'x' }, 'keyId'],
    [{ provider: 'amazon', key: 'x', keyId: 'y', endpoint: 'ftp://x' }, 'endpoint']
  ]
  for (const [settings, key] of wrong)
    t.throws(() => storage(settings as never), { code: 'OPTION_INVALID', where: { key } }, JSON.stringify(settings))
  t.ok(storage({ root, name: 'files', connector: 'loopback-component-storage' }))
})

const loadsClient = `
  import { createRequire } from 'node:module'
  import { storage } from '@modelwire/storage'
  const { cache } = createRequire(import.meta.url)
  const isLoaded = () => Object.keys(cache).some((path) => path.includes('xml2js'))
  const [folders, store] = [storage({ root: '.' }), storage({ provider: 'amazon', keyId: 'x', key: 'x' })]
  await folders.connect()
  const before = isLoaded()
  await store.connect()
  console.log(JSON.stringify([before, isLoaded()]))`

t.test('the client of stores is loaded where there is one', async (t) => {
  const cwd = join(import.meta.dirname, '..')
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', loadsClient], { cwd })
  t.strictSame(JSON.parse(stdout), [false, true])
})
