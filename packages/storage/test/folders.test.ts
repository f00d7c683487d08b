import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { textFile, uploadOf } from './form.ts'
import { serveFiles, temporaryFolder } from './serve-files.ts'

/** Two containers, and a folder outside of the root with a secret. */
async function withLinks(t: Test) {
  const served = await serveFiles(t)
  const { root } = served
  const outside = await temporaryFolder(t)
  await writeFile(join(outside, 'secret.txt'), 'secret')
  await mkdir(join(root, 'one'))
  await mkdir(join(root, 'two'))
  await symlink(outside, join(root, 'way-out'))
  await symlink(join(outside, 'secret.txt'), join(root, 'one', 'link.txt'))
  await symlink(join(root, 'nowhere'), join(root, 'one', 'dangling.txt'))
  await writeFile(join(root, 'two', 'b.txt'), 'b')
  await symlink(join(root, 'two', 'b.txt'), join(root, 'one', 'within.txt'))
  return { ...served, outside }
}

const isMissing = { statusCode: 404, code: 'ENOENT' }

t.test('a link that leads out of the root is not there', async (t) => {
  const { app, outside, root } = await withLinks(t)
  const error = async (url: string) => (await app.inject(`/api/containers/${url}`)).json().error
  for (const path of [
    'way-out',
    'way-out/download/secret.txt',
    'way-out/files/secret.txt',
    'one/files/link.txt',
    'one/download/link.txt',
    'one/download/dangling.txt'
  ])
    t.match(await error(path), isMissing, path)
  t.strictSame((await app.inject('/api/containers/way-out/files')).json(), [])
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)
  t.strictSame(names((await app.inject('/api/containers')).json()), ['one', 'two'])
  t.strictSame(names((await app.inject('/api/containers/one/files')).json()), ['within.txt'])
  t.equal((await app.inject('/api/containers/one/download/within.txt')).body, 'b')
  const upload = await app.inject(uploadOf('/api/containers/way-out/upload', textFile('x')))
  t.match(upload.json().error, isMissing)
  t.equal((await app.inject({ method: 'DELETE', url: '/api/containers/way-out' })).statusCode, 404)
  t.strictSame(await readdir(outside), ['secret.txt'])
  t.ok((await readdir(root)).includes('way-out'))
})

t.test('an upload takes the place of a link, and writes nothing where it leads', async (t) => {
  const { app, outside, root } = await withLinks(t)
  t.equal((await app.inject(uploadOf('/api/containers/one/upload', textFile('new', 'link.txt')))).statusCode, 200)
  t.equal(await readFile(join(outside, 'secret.txt'), 'utf8'), 'secret')
  t.equal(await readFile(join(root, 'one', 'link.txt'), 'utf8'), 'new')
  t.equal((await app.inject({ method: 'DELETE', url: '/api/containers/one/files/within.txt' })).statusCode, 200)
  t.equal(await readFile(join(root, 'two', 'b.txt'), 'utf8'), 'b')
})

t.test('containers have nothing to do with one another', async (t) => {
  const { app, root } = await withLinks(t)
  await app.inject(uploadOf('/api/containers/one/upload', textFile('of one')))
  await app.inject(uploadOf('/api/containers/two/upload', textFile('of two')))
  t.equal((await app.inject('/api/containers/one/download/a.txt')).body, 'of one')
  t.equal((await app.inject({ method: 'DELETE', url: '/api/containers/one' })).statusCode, 200)
  t.equal((await app.inject('/api/containers/two/download/a.txt')).body, 'of two')
  t.equal(await readFile(join(root, 'two', 'b.txt'), 'utf8'), 'b')
})

t.test('a pipe among the files is none, and is not waited for', async (t) => {
  const { app, root } = await withLinks(t)
  const { execFileSync } = await import('node:child_process')
  if (process.platform === 'win32') return
  execFileSync('mkfifo', [join(root, 'two', 'pipe')])
  t.equal((await app.inject('/api/containers/two/download/pipe')).statusCode, 404)
  t.match((await app.inject('/api/containers/two/files')).json(), [{ name: 'b.txt' }])
})

t.test('uploads that are going on are not listed', async (t) => {
  const { app, root } = await withLinks(t)
  await writeFile(join(root, 'two', '.modelwire-upload-1'), 'half')
  t.match((await app.inject('/api/containers/two/files')).json(), [{ name: 'b.txt' }])
  t.equal((await app.inject('/api/containers/two/download/.modelwire-upload-1')).statusCode, 400)
  t.equal(
    (await app.inject({ method: 'DELETE', url: '/api/containers/two' })).statusCode,
    200,
    'they go with the container'
  )
})

t.test('the root has to be a folder', async (t) => {
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'file'), '')
  for (const name of ['file', 'none'])
    await t.rejects(serveFiles(t, { root: join(folder, name) }), { code: 'OPTION_INVALID', where: { key: 'root' } })
})

t.test('files are listed by name, and by pages where a client asks for them', async (t) => {
  const { app, root } = await serveFiles(t)
  await mkdir(join(root, 'one', 'folder'), { recursive: true })
  const names = Array.from({ length: 700 }, (_, at) => `f${String(at).padStart(3, '0')}`)
  await Promise.all(names.map((name) => writeFile(join(root, 'one', name), '')))
  const list = async (query = '') => (await app.inject(`/api/containers/one/files${query}`)).json()
  const namesOf = async (query?: string) => (await list(query)).map(({ name }: { name: string }) => name)
  t.strictSame(await namesOf(), names)
  t.strictSame(await namesOf('?limit=2'), ['f000', 'f001'])
  t.strictSame(await namesOf('?limit=2&after=f001'), ['f002', 'f003'])
  t.strictSame(await namesOf('?after=f697'), ['f698', 'f699'])
  t.strictSame(await namesOf('?after=folder'), [], 'a folder is no file')
  t.match(await list('?limit=0'), { error: { statusCode: 400 } })
  const { Container } = app.models
  t.match(await Container.getFiles('one', { limit: 1, after: 'f005' }), [{ name: 'f006' }])
})
