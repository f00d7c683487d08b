import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { textFile, uploadOf } from './form.ts'
import { serveFiles } from './serve-files.ts'

const one = '/api/containers/one'

t.test('containers are created, listed, found and deleted', async (t) => {
  const { app, root } = await serveFiles(t)
  t.strictSame((await app.inject('/api/containers')).json(), [])
  const created = await app.inject({ method: 'POST', url: '/api/containers', payload: { name: 'one' } })
  t.equal(created.statusCode, 200)
  t.strictSame(Object.keys(created.json()), ['name', 'size', 'atime', 'mtime', 'ctime'])
  t.ok((await stat(join(root, 'one'))).isDirectory())
  t.match((await app.inject('/api/containers')).json(), [{ name: 'one' }])
  t.match((await app.inject(one)).json(), { name: 'one' })
  await writeFile(join(root, 'one', 'a.txt'), 'a')
  const deleted = await app.inject({ method: 'DELETE', url: one })
  t.strictSame([deleted.statusCode, deleted.json()], [200, {}])
  t.strictSame(await readdir(root), [])
})

t.test('an upload stores the files of a form, and gives its fields', async (t) => {
  const { app, root } = await serveFiles(t)
  await mkdir(join(root, 'one'))
  const title = { name: 'title', content: 'T' }
  const answer = await app.inject(uploadOf(`${one}/upload`, textFile('hello world'), title, title))
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), {
    result: {
      files: { file: [{ container: 'one', name: 'a.txt', type: 'text/plain', field: 'file', size: 11 }] },
      fields: { title: ['T', 'T'] }
    }
  })
  t.equal(await readFile(join(root, 'one', 'a.txt'), 'utf8'), 'hello world')
  t.strictSame(await readdir(join(root, 'one')), ['a.txt'], 'nothing else is left there')
})

t.test('files are listed, found and deleted', async (t) => {
  const { app, root } = await serveFiles(t)
  await mkdir(join(root, 'one', 'folder'), { recursive: true })
  await writeFile(join(root, 'one', 'a.txt'), 'hello')
  const [file, ...others] = (await app.inject(`${one}/files`)).json()
  t.match(file, { container: 'one', name: 'a.txt', size: 5 })
  t.strictSame(Object.keys(file), ['container', 'name', 'size', 'atime', 'mtime', 'ctime'])
  t.strictSame(others, [])
  t.strictSame((await app.inject(`${one}/files/a.txt`)).json(), file)
  const removed = await app.inject({ method: 'DELETE', url: `${one}/files/a.txt` })
  t.strictSame([removed.statusCode, removed.json()], [200, {}])
  t.strictSame((await app.inject(`${one}/files`)).json(), [])
  t.strictSame((await app.inject('/api/containers/none/files')).json(), [], 'as in LoopBack')
})

const wrong: readonly (readonly [method: 'GET' | 'POST' | 'DELETE', path: string, status: number, code: string])[] = [
  ['GET', '/none', 404, 'ENOENT'],
  ['GET', '/one/files/none', 404, 'ENOENT'],
  ['GET', '/one/files/folder/x', 404, 'ROUTE_NOT_FOUND'],
  ['GET', '/one/download/none', 404, 'ENOENT'],
  ['GET', '/none/download/none', 404, 'ENOENT'],
  ['GET', '/one/download/folder', 404, 'ENOENT'],
  ['DELETE', '/one/files/none', 404, 'ENOENT'],
  ['DELETE', '/none', 404, 'ENOENT'],
  ['DELETE', '/one', 409, 'ENOTEMPTY'],
  ['GET', '/one/files/..%2Fx', 400, 'FILE_NAME_INVALID'],
  ['GET', '/one/download/..%2F..%2Fetc%2Fpasswd', 400, 'FILE_NAME_INVALID'],
  ['GET', '/..%5Cx', 400, 'FILE_NAME_INVALID'],
  ['GET', '/a%00b', 400, 'FILE_NAME_INVALID'],
  ['DELETE', '/one/files/CON', 400, 'FILE_NAME_INVALID']
]

t.test('what is not there, or has no proper name, is told', async (t) => {
  const { app, root } = await serveFiles(t)
  await mkdir(join(root, 'one', 'folder'), { recursive: true })
  for (const [method, path, status, code] of wrong) {
    const answer = await app.inject({ method, url: `/api/containers${path}` })
    t.match([answer.statusCode, answer.json()], [status, { error: { code } }], `${method} ${path}`)
    t.notMatch(answer.body, root, 'no path of the machine')
  }
})

t.test('a container needs a name of its own', async (t) => {
  const { app } = await serveFiles(t)
  const create = async (payload: object) => {
    const answer = await app.inject({ method: 'POST', url: '/api/containers', payload })
    return [answer.statusCode, answer.json().error?.code]
  }
  t.strictSame(await create({ name: 'one' }), [200, undefined])
  t.strictSame(await create({ name: 'one' }), [409, 'EEXIST'])
  t.strictSame(await create({}), [400, 'INVALID_ARGUMENT'])
  t.strictSame(await create({ name: 5 }), [400, 'FILE_NAME_INVALID'])
  for (const name of ['..', '.', '../x', 'a/b', ''])
    t.strictSame(await create({ name }), [400, 'FILE_NAME_INVALID'], name)
})
