import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { formHeaders, type Part, partBytes, textFile, uploadOf } from './form.ts'
import { serveFiles, type Settings } from './serve-files.ts'

const url = '/api/containers/one/upload'

async function withContainer(t: Test, settings: Settings = {}) {
  const served = await serveFiles(t, settings)
  const folder = join(served.root, 'one')
  await mkdir(folder)
  const upload = async (...parts: readonly Part[]) => {
    const answer = await served.app.inject(uploadOf(url, ...parts))
    const { result, error } = answer.json()
    return { status: answer.statusCode, code: error?.code, files: result?.files, error }
  }
  return { ...served, folder, upload, list: () => readdir(folder) }
}

t.test('what is no form with a file is a 400', async (t) => {
  const { app, upload, list } = await withContainer(t)
  const ask = async (options: object) => (await app.inject({ method: 'POST', url, ...options })).json().error
  t.match(await upload({ name: 'title', content: 'T' }), { status: 400, code: 'NO_FILE_UPLOADED' })
  t.match(await upload(), { status: 400, error: { message: 'No file content uploaded' } })
  t.match(await upload({ name: 'file', fileName: '', content: '' }), { code: 'NO_FILE_UPLOADED' }, 'none was chosen')
  t.match(await ask({ payload: { a: 1 } }), { statusCode: 400, code: 'NO_FILE_UPLOADED' })
  t.match(await ask({}), { statusCode: 400, code: 'NO_FILE_UPLOADED' })
  t.match(await ask({ headers: { 'content-type': 'multipart/form-data' }, payload: 'x' }), { code: 'FORM_MALFORMED' })
  const cut = partBytes(textFile('hello')).subarray(0, -4)
  t.match(await ask({ headers: formHeaders, payload: cut }), { statusCode: 400, code: 'FORM_MALFORMED' })
  t.match(await ask({ headers: formHeaders, payload: 'x' }), { statusCode: 400 })
  t.strictSame(await list(), [])
})

t.test('a container that is missing is told where there is a file for it', async (t) => {
  const { app } = await withContainer(t)
  const missing = '/api/containers/none/upload'
  const ask = async (options: object) => (await app.inject({ method: 'POST', url: missing, ...options })).json().error
  t.match(await ask({ payload: { a: 1 } }), { statusCode: 400, code: 'NO_FILE_UPLOADED' })
  t.match(await ask({}), { statusCode: 400, code: 'NO_FILE_UPLOADED' })
  t.match(await ask(uploadOf(missing, { name: 'title', content: 'T' })), { statusCode: 400, code: 'NO_FILE_UPLOADED' })
  t.match(await ask(uploadOf(missing, textFile('x'), textFile('y', 'b.txt'))), { statusCode: 404, code: 'ENOENT' })
})

t.test('a file that is too large is a 413 and leaves nothing, also of the other files', async (t) => {
  const { upload, list, folder } = await withContainer(t, { maxFileSize: 10 })
  await writeFile(join(folder, 'a.txt'), 'old')
  const answer = await upload(textFile('new'), textFile('x'.repeat(11), 'b.txt'))
  t.match(answer, { status: 413, code: 'FILE_TOO_LARGE' })
  t.strictSame(await list(), ['a.txt'])
  t.equal(await readFile(join(folder, 'a.txt'), 'utf8'), 'old')
  t.match(await upload(textFile('x'.repeat(10))), { status: 200 })
})

t.test('the default limit is that of LoopBack', async (t) => {
  const { upload, list } = await withContainer(t)
  t.match(await upload(textFile('x'.repeat(10 * 1024 * 1024 + 1))), { status: 413 })
  t.match(await upload(textFile('x'.repeat(10 * 1024 * 1024), 'b')), { status: 200 })
  t.strictSame(await list(), ['b'])
})

t.test('types that are not allowed are a 415', async (t) => {
  const { upload, list, connector } = await withContainer(t, { allowedContentTypes: ['image/png'] })
  t.match(await upload(textFile('x')), { status: 415, code: 'CONTENT_TYPE_REFUSED' })
  t.strictSame(await list(), [])
  connector.allowedContentTypes = ({ field }) => (field === 'file' ? ['text/plain'] : [])
  t.match(await upload(textFile('x')), { status: 200 }, 'a script changed it')
})

t.test('files are stored under other names where the settings say so', async (t) => {
  const { upload, list, connector } = await withContainer(t, { nameConflict: 'makeUnique' })
  const unique = (await upload(textFile('x'))).files.file[0]
  t.match(unique, { originalFilename: 'a.txt', name: /^[\da-f-]{36}\.txt$/ })
  t.strictSame(await list(), [unique.name])
  connector.getFilename = ({ name, container }, request) => `${container}-${request.method}-${name}`
  t.match((await upload(textFile('y'))).files.file[0], { originalFilename: 'a.txt', name: 'one-POST-a.txt' })
  connector.getFilename = () => '../evil'
  t.match(await upload(textFile('y')), { status: 400, code: 'FILE_NAME_INVALID' })
})

t.test('a name that leads elsewhere is refused', async (t) => {
  const { upload, list, root } = await withContainer(t)
  for (const name of ['../evil', '..', 'a/b', '/etc/x', 'nul', '.modelwire-upload-1'])
    t.match(await upload(textFile('x', name)), { status: 400, code: 'FILE_NAME_INVALID' }, name)
  t.strictSame(await list(), [])
  t.strictSame(await readdir(root), ['one'])
  t.match((await upload(textFile('x', String.raw`C:\dir\a.txt`))).files.file[0], { name: 'a.txt' }, 'as in LoopBack')
  t.match((await upload(textFile('x', 'a%22b.txt'))).files.file[0], { name: 'a"b.txt' }, 'as browsers write quotes')
})

t.test('there is no upload to a container that does not exist', async (t) => {
  const { app, root } = await serveFiles(t)
  const answer = await app.inject(uploadOf(url, textFile('x')))
  t.match([answer.statusCode, answer.json()], [404, { error: { code: 'ENOENT' } }])
  t.strictSame(await readdir(root), [])
})

t.test('a form has bounds', async (t) => {
  const { upload, list } = await withContainer(t, { maxFiles: 2, maxFieldsSize: 10 })
  const files = ['a', 'b', 'c'].map((name) => textFile('x', name))
  t.match(await upload(...files), { status: 413, code: 'FORM_TOO_LARGE' })
  t.match(await upload(textFile('x'), { name: 'f', content: 'x'.repeat(11) }), { status: 413, code: 'FORM_TOO_LARGE' })
  const short = { name: 'f', content: 'x'.repeat(6) }
  t.match(await upload(textFile('x'), short, short), { status: 413, code: 'FORM_TOO_LARGE' })
  t.match(await upload(...Array.from({ length: 1200 }, () => ({ name: 'f', content: '' }))), { status: 413 })
  t.strictSame(await list(), [])
  t.match(await upload(textFile('x'), short), { status: 200 })
})

t.test('fields may have any name', async (t) => {
  const { app } = await withContainer(t)
  const fields = ['__proto__', 'constructor', ''].map((name) => ({ name, content: name }))
  const answer = await app.inject(uploadOf(url, textFile('x'), ...fields))
  t.equal(answer.statusCode, 200)
  t.match(answer.body, '"__proto__":["__proto__"]')
})

t.test('empty settings count as absent', async (t) => {
  const none = {
    maxFileSize: '',
    allowedContentTypes: '',
    getFilename: '',
    nameConflict: '',
    acl: null,
    maxFiles: null
  }
  // As generators write `datasources.json`.
  const { upload, connector } = await withContainer(t, none as never)
  t.equal(connector.maxFileSize, undefined)
  t.match(await upload(textFile('x')), { status: 200, files: { file: [{ name: 'a.txt' }] } })
  Object.assign(connector, none)
  t.match(await upload(textFile('x')), { status: 200 }, 'also where a script sets them')
})

t.test('a file that cannot be put in its place takes the others with it', async (t) => {
  const { upload, folder, list } = await withContainer(t)
  await writeFile(join(folder, 'old'), 'old content')
  await mkdir(join(folder, 'folder'))
  const files = ['new', 'old', 'folder', 'later'].map((name) => textFile('x', name))
  t.match(await upload(...files), { status: 404, code: 'ENOENT' })
  t.strictSame((await list()).toSorted(), ['folder', 'old'])
  t.equal(await readFile(join(folder, 'old'), 'utf8'), 'old content')
  t.match(await upload(textFile('1', 'same'), textFile('2', 'same'), textFile('x', 'old')), { status: 200 })
  t.strictSame((await list()).toSorted(), ['folder', 'old', 'same'], 'nothing is kept aside')
  t.equal(await readFile(join(folder, 'same'), 'utf8'), '2')
})

t.test('all files of a form together have a limit', async (t) => {
  const { upload, list, connector } = await withContainer(t, { maxFilesSize: 10 })
  const files = ['a', 'b', 'c'].map((name) => textFile('x'.repeat(4), name))
  t.match(await upload(...files), { status: 413, code: 'FORM_TOO_LARGE' })
  t.strictSame(await list(), [])
  t.match(await upload(...files.slice(1)), { status: 200 })
  connector.maxFilesSize = undefined
  t.match(await upload(...files), { status: 200 })
})
